import assert from 'node:assert/strict';
import { droppedParameters } from '../../../../../src/editor/chat/parameters/droppedParameters.ts';
import { wireFormats } from '../../../../../src/formats/index.ts';

describe('what a format cannot carry of a chat’s parameters', () => {
  it('is told before anything is decided', () => {
    assert.deepEqual(droppedParameters(wireFormats.responses, {}), ['stopSequences']);
    assert.deepEqual(droppedParameters(wireFormats.messages, {}), []);
    assert.deepEqual(droppedParameters(wireFormats['chat-completions'], {}), []);
  });

  it('does not change by an empty text or list', () => {
    assert.deepEqual(droppedParameters(wireFormats.responses, { systemPrompt: '', stopSequences: [] }), [
      'stopSequences',
    ]);
  });

  it('depends on what was decided where the format does', () => {
    assert.deepEqual(droppedParameters(wireFormats.messages, { stopSequences: ['\n'] }), ['stopSequences']);
    assert.deepEqual(droppedParameters(wireFormats.messages, { stopSequences: ['END'] }), []);
  });
});
