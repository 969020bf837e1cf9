import assert from 'node:assert/strict';
import { uncarriedBy } from '../../../../src/editor/chat/parameters/uncarried.ts';
import { wireFormats } from '../../../../src/formats/index.ts';

describe('what a format cannot carry of a chat’s parameters', () => {
  it('is told before anything is decided', () => {
    assert.deepEqual(uncarriedBy(wireFormats.responses, {}), ['stopSequences']);
    assert.deepEqual(uncarriedBy(wireFormats.messages, {}), []);
    assert.deepEqual(uncarriedBy(wireFormats['chat-completions'], {}), []);
  });

  it('does not change by an empty text or list', () => {
    assert.deepEqual(uncarriedBy(wireFormats.responses, { systemPrompt: '', stopSequences: [] }), ['stopSequences']);
  });

  it('depends on what was decided where the format does', () => {
    assert.deepEqual(uncarriedBy(wireFormats.messages, { stopSequences: ['\n'] }), ['stopSequences']);
    assert.deepEqual(uncarriedBy(wireFormats.messages, { stopSequences: ['END'] }), []);
  });
});
