import assert from 'node:assert/strict';
import { pressKey } from '../../../../src/panels/shared/keys.ts';

describe('a key press', () => {
  /** @returns the actions, and whether the browser's default was prevented. */
  function pressed(key: string, isComposing = false): readonly [done: readonly string[], isPrevented: boolean] {
    const done: string[] = [];
    const event = Object.assign(new Event('keydown', { cancelable: true }), { key, isComposing });
    pressKey(event as unknown as KeyboardEvent, { Enter: () => done.push('open'), F2: undefined });
    return [done, event.defaultPrevented];
  }

  it('runs its action and nothing else', () => {
    assert.deepEqual(pressed('Enter'), [['open'], true]);
  });

  it('is passed on if it currently has no action', () => {
    for (const key of ['a', 'F2']) assert.deepEqual(pressed(key), [[], false], key);
  });

  it('belongs to the input method during composition', () => {
    assert.deepEqual(pressed('Enter', true), [[], false]);
  });
});
