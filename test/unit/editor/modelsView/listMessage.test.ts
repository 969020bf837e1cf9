import assert from 'node:assert/strict';
import { listMessage } from '../../../../src/editor/modelsView/modelsView.ts';

const NOW = new Date(2026, 4, 20, 12).getTime();
const MINUTE = 60_000;
const MODELS = [{ id: 'familya-haiku-4.5', raw: {} }];

describe('the message above the models', () => {
  it('shows the age of a stale list, and why there is no current one', () => {
    const list = { models: MODELS, state: 'stale', readAt: NOW - 5 * MINUTE, problem: 'Nobody answers.' } as const;
    assert.equal(listMessage(list, NOW), 'The last known list, read 5 min ago. Nobody answers.');
  });

  it('shows the date of a list that is older than a week', () => {
    const list = { models: MODELS, state: 'stale', readAt: NOW - 10 * 24 * 60 * MINUTE } as const;
    assert.match(listMessage(list, NOW), /^The last known list, read (?:May 10|10 May)\.$/);
  });

  it('is empty for a current list, a loading list and no list', () => {
    for (const state of ['current', 'loading', 'failed'] as const) {
      assert.equal(listMessage({ models: MODELS, state, readAt: NOW, problem: 'Nobody answers.' }, NOW), '');
    }
  });
});
