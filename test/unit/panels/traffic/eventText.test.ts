import assert from 'node:assert/strict';
import { eventText } from '../../../../src/panels/traffic/detail/eventLines.ts';

const SHOWN: readonly (readonly [string, unknown, string | undefined])[] = [
  ['text of chat-completions', { choices: [{ delta: { content: 'Hel' } }] }, 'Hel'],
  ['reasoning of chat-completions', { choices: [{ delta: { reasoning_content: 'Hm' } }] }, 'Hm'],
  [
    'a call of chat-completions',
    { choices: [{ delta: { tool_calls: [{ function: { name: 'read', arguments: '{"a' } }] } }] },
    'read{"a',
  ],
  ['text of messages', { type: 'content_block_delta', delta: { type: 'text_delta', text: 'lo\n' } }, 'lo\n'],
  ['reasoning of messages', { delta: { type: 'thinking_delta', thinking: 'So' } }, 'So'],
  ['arguments of messages', { delta: { type: 'input_json_delta', partial_json: '{"path"' } }, '{"path"'],
  ['text of responses', { type: 'response.output_text.delta', delta: 'Hi' }, 'Hi'],
  ['nothing of an event without text', { type: 'message_stop' }, undefined],
  ['nothing of an empty delta', { choices: [{ delta: { content: '' } }] }, undefined],
  ['nothing of a finish', { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, undefined],
];

describe('a line of the timeline shows', () => {
  for (const [what, event, text] of SHOWN) {
    it(what, () => assert.equal(eventText(JSON.stringify(event)), text));
  }

  it('nothing for invalid JSON', () => {
    assert.equal(eventText('[DONE]'), undefined);
    assert.equal(eventText('{"choices":[{"del'), undefined);
  });
});
