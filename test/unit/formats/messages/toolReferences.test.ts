import assert from 'node:assert/strict';
import { messages } from '../../../../src/formats/messages/index.ts';

describe('tool references in the messages format', () => {
  it('list the tools that a search has found', () => {
    const content = [
      { type: 'tool_reference', tool_name: 'WebFetch' },
      { type: 'tool_reference', tool_name: 'TaskCreate' },
    ];
    const { messages: [, , results] = [] } = messages.decodeRequest({
      model: 'a',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'ToolSearch', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content }] },
      ],
    });
    const texts = ['WebFetch', 'TaskCreate'].map((name) => `The tool ${name} can be called from now on.`);
    assert.deepEqual(results, {
      role: 'tool',
      parts: [{ type: 'toolResult', toolCallId: 'c1', content: texts.map((text) => ({ type: 'text', text })) }],
    });
  });
});
