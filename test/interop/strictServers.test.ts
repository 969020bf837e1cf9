import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { Router } from '../../src/gateway/routing/router.ts';
import { createCompatible } from '../../src/gateway/upstreams/compatible.ts';
import { ModelServer } from '../support/modelServer/modelServer.ts';
import type { Said } from '../support/modelServer/script.ts';
import { STRICT_SERVERS, type StrictServer } from '../support/strictServers.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, closeLater, startGateway } from '../unit/gateway/support/gateway.ts';

const TURNS = 10;
/** What a server refuses can appear with the first results of tools. From then on, nothing is new. */
const LEARNING_TURNS = 2;

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  properties: {
    place: { $ref: '#/$defs/place', description: 'Where' },
    size: { type: 'string', anyOf: [{ enum: ['s', 'm'] }, { pattern: '^x+$' }] },
    note: { description: 'Anything' },
    count: { type: 'integer', exclusiveMinimum: 0 },
  },
  required: ['place'],
  additionalProperties: false,
  $defs: { place: { type: 'object', properties: { kind: { const: 'city' } } } },
};

/** Answers each question with a call, and each result with a text. */
async function startStrict({ model, refuse, reasons }: StrictServer) {
  const refusals: number[] = [];
  let turn = 0;
  const server = await ModelServer.start(({ format, body }) => {
    if (format === undefined) return undefined;
    const refused = refuse(body);
    if (refused !== undefined) {
      refusals.push(turn);
      return refused;
    }
    const id = `call_${turn}`;
    const said: Said['parts'] = hasNewResult(body)
      ? [{ text: `Done ${turn}` }]
      : [{ call: id, name: body.tools[0].function.name, arguments: '{"place":{"kind":"city"}}' }];
    return { parts: [...(reasons ? [{ reasoning: 'Hm.' }] : []), ...said] };
  });
  closeLater(() => server.close());
  const settings = { id: 'strict', baseUrl: server.baseUrl, formats: ['chat-completions'] as const, models: ['*'] };
  const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
  closeLater(() => router.close());
  const { port } = await startGateway({ upstream: router });
  const begin = (next: number) => {
    turn = next;
  };
  const settled = () =>
    assert.ok(
      refusals.every((at) => at <= LEARNING_TURNS),
      `refused in the turns ${refusals}`,
    );
  return { port, model, begin, settled, server };
}

/** Whether a tool has returned something since the last answer. */
function hasNewResult({ messages }: { messages: readonly { role: string; content?: unknown }[] }): boolean {
  const isAnswer = ({ role, content }: { role: string; content?: unknown }) =>
    role === 'assistant' && String(content).startsWith('Done');
  return messages.findLastIndex(({ role }) => role === 'tool') > messages.findLastIndex(isAnswer);
}

for (const strict of STRICT_SERVERS) {
  describe(`ten turns with tools on a server as strict as ${strict.name}`, () => {
    afterEach(closeAll);

    it('succeed with the SDK of the messages format, and nothing is refused any more', async () => {
      const { port, model, begin, settled } = await startStrict(strict);
      const client = new Anthropic({ baseURL: `http://127.0.0.1:${port}/api`, apiKey: LOCAL_KEY, maxRetries: 0 });
      const messages: Anthropic.MessageParam[] = [];
      const ask = () =>
        client.messages
          .stream({
            ...{ model, max_tokens: 32_000, messages, metadata: { user_id: 'u' } },
            system: [
              { type: 'text', text: 'You write code.' },
              { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
            ],
            output_config: { effort: 'xhigh' },
            thinking: { type: 'adaptive' },
            tools: [{ name: '2_look', description: 'Looks.', input_schema: SCHEMA }],
          })
          .finalMessage();
      for (let turn = 1; turn <= TURNS; turn += 1) {
        begin(turn);
        messages.push({ role: 'user', content: `Question ${turn}` });
        messages.push({ role: 'system', content: 'The folder is empty.' } as unknown as Anthropic.MessageParam);
        const asked = await ask();
        const call = asked.content.find((block) => block.type === 'tool_use');
        assert.equal(call?.name, '2_look');
        messages.push({ role: 'assistant', content: asked.content });
        const result = { type: 'tool_result' as const, tool_use_id: call?.id ?? '', content: 'Nothing.' };
        messages.push({ role: 'user', content: [result, { type: 'text', text: 'Go on.' }] });
        const answer = await ask();
        assert.ok(answer.content.some((block) => block.type === 'text' && block.text === `Done ${turn}`));
        messages.push({ role: 'assistant', content: answer.content });
      }
      settled();
    });

    it('succeed with the SDK of the responses format, and nothing is refused any more', async () => {
      const { port, model, begin, settled } = await startStrict(strict);
      const client = new OpenAI({ baseURL: `http://127.0.0.1:${port}/api/v1`, apiKey: LOCAL_KEY, maxRetries: 0 });
      const input: OpenAI.Responses.ResponseInputItem[] = [];
      const ask = () =>
        client.responses
          .stream({
            ...{ model, input, instructions: 'You write code.', store: false, parallel_tool_calls: true },
            ...{ prompt_cache_key: 'k', max_output_tokens: 32_000, include: ['reasoning.encrypted_content'] },
            reasoning: { effort: 'xhigh', summary: 'auto' },
            text: { verbosity: 'low' },
            tools: [{ type: 'function', name: 'look', description: 'Looks.', parameters: SCHEMA, strict: true }],
          })
          .finalResponse();
      for (let turn = 1; turn <= TURNS; turn += 1) {
        begin(turn);
        input.push(
          { role: 'user', content: `Question ${turn}` },
          { role: 'developer', content: 'The folder is empty.' },
        );
        const asked = await ask();
        input.push(...(asked.output as OpenAI.Responses.ResponseInputItem[]));
        const call = asked.output.find((item) => item.type === 'function_call');
        input.push({ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'Nothing.' });
        const answer = await ask();
        assert.equal(answer.output_text, `Done ${turn}`);
        input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
      }
      settled();
    });
  });
}
