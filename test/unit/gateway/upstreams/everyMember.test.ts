import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { closeAll } from '../support/gateway.ts';
import { PAIRS } from '../support/routed.ts';
import { error, startPickyServer } from './pickyServer.ts';

const SCHEMA = { type: 'object', properties: {} };
const OF_ALL = { temperature: 0.2, top_p: 0.5, service_tier: 'auto', stream: true };
const OF_TWO = {
  ...{ ...OF_ALL, metadata: { a: 'b' }, store: true, prompt_cache_key: 'k' },
  ...{ top_logprobs: 2, tool_choice: 'required', parallel_tool_calls: false },
};

/** Requests with all that clients can ask for. */
const RICH: Readonly<Record<FormatName, object>> = {
  'chat-completions': {
    ...{ ...OF_TWO, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9000, user: 'u', logprobs: true },
    ...{ frequency_penalty: 1, presence_penalty: 1, seed: 1, stop: ['x'], reasoning_effort: 'high', verbosity: 'low' },
    tools: [{ type: 'function', function: { name: 'f', parameters: SCHEMA, strict: true } }],
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema: SCHEMA } },
  },
  messages: {
    ...{ ...OF_ALL, messages: [{ role: 'user', content: 'Hi' }], system: 'a', max_tokens: 9000, top_k: 5 },
    ...{ stop_sequences: ['x'], metadata: { user_id: 'u' }, thinking: { type: 'adaptive' } },
    tools: [{ name: 'f', input_schema: SCHEMA }],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    output_config: { effort: 'high', format: { type: 'json_schema', schema: SCHEMA } },
  },
  responses: {
    ...{
      ...OF_TWO,
      input: 'Hi',
      instructions: 'a',
      max_output_tokens: 9000,
      safety_identifier: 'u',
      truncation: 'auto',
    },
    ...{ reasoning: { effort: 'high', summary: 'auto' }, include: ['message.output_text.logprobs'] },
    text: { verbosity: 'low', format: { type: 'json_schema', name: 'x', schema: SCHEMA } },
    tools: [{ type: 'function', name: 'f', parameters: SCHEMA, strict: true }],
  },
};

/** Without them, it would be another request, an answer of another form, or one without a limit. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'system', 'input', 'tools', 'stream', 'response_format', 'text'],
  ...['max_tokens', 'max_output_tokens'],
]);

for (const { caller, upstream } of PAIRS) {
  describe(`a translated request of a ${caller} client on ${upstream}`, () => {
    afterEach(closeAll);

    it('is accepted without each member that is not essential, whatever the refusal says', async () => {
      const open = await startPickyServer(() => undefined, upstream);
      await open.ask(caller, RICH[caller]);
      const members = Object.keys(open.bodies()[0]).filter((name) => !ESSENTIAL.has(name));
      assert.ok(members.length > 5);
      for (const member of members) {
        const { ask, bodies } = await startPickyServer(
          (body) => (member in body ? error('Nope.') : undefined),
          upstream,
        );
        const { status, text } = await ask(caller, RICH[caller]);
        assert.equal(status, 200, `${member}: ${text}`);
        assert.ok(bodies().length <= 4);
      }
    });
  });
}
