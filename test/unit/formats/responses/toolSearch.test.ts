import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../../src/formats/answer.ts';
import { responses } from '../../../../src/formats/responses/index.ts';

const SEARCH = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds tools.',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
};
const LAMP = { type: 'function', name: 'state', parameters: { type: 'object' }, strict: false };
const CALL = {
  type: 'tool_search_call',
  id: 'tsc_1',
  call_id: 'c1',
  execution: 'client',
  arguments: { query: 'lamp' },
};
const OUTPUT = {
  type: 'tool_search_output',
  call_id: 'c1',
  execution: 'client',
  status: 'completed',
  tools: [{ type: 'namespace', name: 'lamps', description: 'd', tools: [LAMP] }],
};
const QUESTION = { type: 'message', role: 'user', content: 'Is it on?' };

const decode = (request: object) => responses.decodeRequest({ model: 'a', ...request });

describe('tool searches in the responses format', () => {
  it('are a tool if the client runs them, and a hosted tool if the service does', () => {
    const { tools, hostedTools } = decode({ input: 'Go.', tools: [SEARCH, { type: 'tool_search' }] });
    const { description, parameters } = SEARCH;
    assert.deepEqual(tools, [{ name: 'tool_search', description, parameters, toolSearch: true }]);
    assert.deepEqual(hostedTools, [{ format: 'responses', type: 'tool_search', definition: { type: 'tool_search' } }]);
  });

  it('are calls whose results name the tools found, which are then offered', () => {
    const { messages, tools } = decode({ input: [QUESTION, CALL, OUTPUT], tools: [SEARCH] });
    assert.deepEqual(messages.slice(1), [
      {
        role: 'assistant',
        parts: [
          {
            type: 'toolCall',
            id: 'c1',
            name: 'tool_search',
            arguments: '{"query":"lamp"}',
            toolSearch: true,
            itemId: 'tsc_1',
          },
        ],
      },
      {
        role: 'tool',
        parts: [
          {
            type: 'toolResult',
            toolCallId: 'c1',
            content: [{ type: 'text', text: 'These tools can be called from now on:\n- state (lamps)' }],
            toolSearch: true,
          },
        ],
      },
    ]);
    assert.deepEqual(
      tools?.map(({ name, namespace }) => [namespace, name]),
      [
        [undefined, 'tool_search'],
        ['lamps', 'state'],
      ],
    );
  });

  it('state that nothing was found', () => {
    const { messages } = decode({ input: [QUESTION, CALL, { ...OUTPUT, tools: [] }] });
    assert.match(JSON.stringify(messages.at(-1)), /No tools were found\./);
  });

  it('are dropped and reported if the service ran them', () => {
    const own = { execution: 'server', call_id: null };
    const { messages, tools, dropped } = decode({ input: [QUESTION, { ...CALL, ...own }, { ...OUTPUT, ...own }] });
    assert.equal(messages.length, 1);
    assert.deepEqual(dropped, ['tool_search_call', 'tool_search_output']);
    assert.equal(tools, undefined);
  });

  it('are encoded as they were decoded', () => {
    const { input, tools } = responses.encodeRequest(decode({ input: [QUESTION, CALL, OUTPUT], tools: [SEARCH] }));
    assert.deepEqual(input?.slice(1), [CALL, { ...OUTPUT, status: undefined, tools: [] }].map(withoutUndefined));
    assert.deepEqual(tools?.[0], SEARCH);
  });

  for (const [written, read] of [
    ['{"query":"lamp"}', { query: 'lamp' }],
    ['', {}],
    ['lamp', 'lamp'],
  ] as const) {
    it(`are answered in one item if the arguments are not a string, for ${JSON.stringify(written)}`, () => {
      const encoder = responses.createStreamEncoder({ request: decode({ input: 'Go.' }), now: 1, inputTokens: 1 });
      const events: ChatEvent[] = [
        { type: 'start', id: 'r1', model: 'a' },
        { type: 'toolCallStart', index: 0, id: 'c1', name: 'tool_search', toolSearch: true },
        { type: 'toolCallDelta', index: 0, arguments: written.slice(0, 4) },
        { type: 'toolCallDelta', index: 0, arguments: written.slice(4) },
        { type: 'toolCallEnd', index: 0 },
        { type: 'finish', reason: 'toolCalls' },
        { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
      ];
      const sent = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
      const item = { ...CALL, id: 'tsc_r1_0', status: 'completed', arguments: read };
      const said = sent.map(({ data }) => JSON.parse(data)).filter(({ type }) => /item|arguments|completed/.test(type));
      assert.deepEqual(
        said.map(({ type }) => type),
        ['response.output_item.added', 'response.output_item.done', 'response.completed'],
      );
      assert.deepEqual(said[1].item, item);
      assert.deepEqual(said[2].response.output, [item]);
    });
  }
});

function withoutUndefined(value: object): object {
  return JSON.parse(JSON.stringify(value));
}
