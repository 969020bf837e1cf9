import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import type { Answer } from '../../../support/modelServer/modelServer.ts';
import { issued, pathOf, question, startLimited } from '../budgets/limited.ts';
import { send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const PRIORITY = { service_tier: 'priority' };
const COUNTED = { prompt_tokens: 20, completion_tokens: 5 };
const USED = { input_tokens: 20, output_tokens: 5 };
const COMPLETION = { choices: [{ index: 0, message: { content: 'A pound.' }, finish_reason: 'stop' }], usage: COUNTED };

const streamOf = (...events: readonly unknown[]) => ({
  stream: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
});
const json = (body: unknown): Answer => ({ status: 200, body });

interface PriceCase {
  readonly what: string;
  readonly format: FormatName;
  readonly answer: Answer;
  readonly isStream?: boolean;
  /** Further members of the request. */
  readonly more?: object;
}

const UNKNOWN: readonly PriceCase[] = [
  { what: 'a chat completion names a tier', format: 'chat-completions', answer: json({ ...COMPLETION, ...PRIORITY }) },
  {
    what: 'a stream whose usage only the gateway requested names a tier',
    format: 'chat-completions',
    answer: streamOf(
      { choices: [{ index: 0, delta: { content: 'A pound.' }, finish_reason: 'stop' }] },
      { choices: [], usage: COUNTED, ...PRIORITY },
    ),
    isStream: true,
    more: { stream_options: undefined },
  },
  {
    what: 'a messages stream names a tier at its start',
    format: 'messages',
    answer: streamOf(
      { type: 'message_start', message: { usage: { input_tokens: 20, output_tokens: 1, ...PRIORITY } } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ),
    isStream: true,
  },
  {
    what: 'a message names a speed',
    format: 'messages',
    answer: json({ type: 'message', content: [], usage: { ...USED, speed: 'fast' } }),
  },
  {
    what: 'a response names a tier',
    format: 'responses',
    answer: json({ status: 'completed', output: [], usage: USED, ...PRIORITY }),
  },
  {
    what: 'a chat completion does not report the searches that were requested',
    format: 'chat-completions',
    answer: json(COMPLETION),
    more: { web_search_options: {} },
  },
  {
    what: 'a response is too long to count its searches, and does not report them',
    format: 'responses',
    answer: json({ status: 'completed', model: 'model-a', output: [{ text: 'x'.repeat(2_000_000) }], usage: USED }),
    more: { tools: [{ type: 'web_search' }] },
  },
];

describe('reported usage whose price is unknown', () => {
  afterEach(closeAll);

  async function recordOf({ format, answer, isStream: stream = false, more }: Omit<PriceCase, 'what'>) {
    const running = await startLimited(issued(), () => answer);
    const ended = running.nextRecord();
    const body = JSON.stringify({ ...JSON.parse(question(format, { stream })), ...more });
    await send({ port: running.port, path: pathOf(format), body });
    const { usage, usageIsEstimated } = await ended;
    return [usage?.inputTokens, usage?.outputTokens, usageIsEstimated];
  }

  it('is exact if a long response reports its searches, or none were requested', async () => {
    const response = { status: 'completed', model: 'model-a', output: [{ text: 'x'.repeat(2_000_000) }], usage: USED };
    const reported = json({ ...response, tool_usage: { web_search: { num_requests: 0 } } });
    const tools = [{ type: 'web_search' }];
    assert.deepEqual(await recordOf({ format: 'responses', answer: reported, more: { tools } }), [20, 5, undefined]);
    assert.deepEqual(await recordOf({ format: 'responses', answer: json(response) }), [20, 5, undefined]);
  });

  for (const { what, ...priced } of UNKNOWN) {
    it(`is recorded and marked as an estimate if ${what}`, async () => {
      assert.deepEqual(await recordOf(priced), [20, 5, true]);
    });
  }

  for (const stream of [false, true]) {
    it(`is marked as an estimate in a translated ${stream ? 'stream' : 'answer'}`, async () => {
      const answer: Answer = stream
        ? streamOf(
            { id: 'c', choices: [{ index: 0, delta: { content: 'A pound.' }, finish_reason: null }] },
            { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
            { id: 'c', choices: [], usage: COUNTED, ...PRIORITY },
          )
        : json({ ...COMPLETION, ...PRIORITY });
      const running = await startRouter([{ script: () => answer }]);
      const ended = running.nextRecord();
      await send({ port: running.port, path: pathOf('messages'), body: question('messages', { stream }) });
      const { usage, usageIsEstimated } = await ended;
      assert.deepEqual([usage?.inputTokens, usage?.outputTokens, usageIsEstimated], [20, 5, true]);
    });
  }

  it('is exact if the answer names the usual tier', async () => {
    const answer = json({ ...COMPLETION, service_tier: 'default' });
    assert.deepEqual(await recordOf({ format: 'chat-completions', answer }), [20, 5, undefined]);
  });
});
