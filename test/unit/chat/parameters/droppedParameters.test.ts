import assert from 'node:assert/strict';
import { droppedParameters } from '../../../../src/chat/request.ts';
import { wireFormats } from '../../../../src/formats/index.ts';

describe('chat parameters that a format cannot carry', () => {
  it('are reported before any parameter is set', () => {
    assert.deepEqual(droppedParameters(wireFormats.responses, {}), ['stopSequences']);
    assert.deepEqual(droppedParameters(wireFormats.messages, {}), []);
    assert.deepEqual(droppedParameters(wireFormats['chat-completions'], {}), []);
  });

  it('are not affected by an empty text or list', () => {
    assert.deepEqual(droppedParameters(wireFormats.responses, { systemPrompt: '', stopSequences: [] }), [
      'stopSequences',
    ]);
  });

  it('depend on the parameter values if the format does', () => {
    assert.deepEqual(droppedParameters(wireFormats.messages, { stopSequences: ['\n'] }), ['stopSequences']);
    assert.deepEqual(droppedParameters(wireFormats.messages, { stopSequences: ['END'] }), []);
  });
});
