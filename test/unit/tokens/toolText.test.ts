import assert from 'node:assert/strict';
import { formatFunctionDefinitions } from 'gpt-tokenizer/functionCalling';
import type { Tool } from '../../../src/formats/conversation.ts';
import { toolAsJson, toolsAsTypes } from '../../../src/tokens/toolText.ts';

const WEATHER: Tool = {
  name: 'get_weather',
  description: 'The weather of a place.',
  parameters: {
    type: 'object',
    required: ['place'],
    properties: {
      place: { type: 'string', description: 'Where.' },
      unit: { type: 'string', enum: ['c', 'f'] },
      days: { type: 'integer' },
      exact: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      rest: { type: 'array' },
      where: { type: 'object', properties: { lat: { type: 'number', description: 'Too deep.' } } },
      any: {},
    },
  },
};
const PLAIN: Tool = { name: 'now' };

describe('tools as text', () => {
  it('are written as a namespace of functions, like in the public package', () => {
    for (const tools of [[WEATHER], [PLAIN], [WEATHER, PLAIN, WEATHER]]) {
      assert.equal(toolsAsTypes(tools), formatFunctionDefinitions(tools as never));
    }
  });

  it('include the grammar of a free-form tool', () => {
    const tool: Tool = { name: 'patch', freeForm: true, grammar: { syntax: 'lark', definition: 'start: "x"' } };
    assert.match(toolsAsTypes([tool]), /lark/);
    assert.match(toolAsJson(tool), /lark/);
  });

  it('are written as name, description and schema for other vendors', () => {
    assert.equal(
      toolAsJson({ name: 'a', description: 'b', parameters: { type: 'object' } }),
      'a\nb\n{"type":"object"}',
    );
  });
});
