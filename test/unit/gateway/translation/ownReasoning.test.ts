import assert from 'node:assert/strict';
import { SEAL_MARK } from '../../../../src/formats/reasoningSeal.ts';
import type { Answer, AskedRequest } from '../../../support/modelServer/modelServer.ts';
import { send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of any form are checked
type Body = any;

const CALL = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };

/** An answer of a chat-completions server with these members, streamed or whole as requested. */
function said(message: object, isStream: boolean): Answer {
  const calls =
    'tool_calls' in message ? (message.tool_calls as object[]).map((call, index) => ({ index, ...call })) : undefined;
  const head = { id: 'chatcmpl-12345678901234567890', created: 1, model: 'a' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const finish_reason = calls ? 'tool_calls' : 'stop';
  if (!isStream) {
    const choice = { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason };
    return { status: 200, body: { ...head, object: 'chat.completion', choices: [choice], usage } };
  }
  const { tool_calls: _, ...rest } = message as Body;
  const deltas = [rest, ...(calls ? [{ tool_calls: calls }] : [])];
  const chunks = [
    ...deltas.map((delta) => ({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })),
    { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason }], usage },
  ];
  return { stream: [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].join('') };
}

/** The content blocks of a messages answer, streamed or whole. */
function contentOf(body: string, isStream: boolean): Body[] {
  if (!isStream) return JSON.parse(body).content;
  const blocks: Body[] = [];
  for (const line of body.split('\n').filter((each) => each.startsWith('data: '))) {
    const event = JSON.parse(line.slice(6));
    if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block };
    if (event.type !== 'content_block_delta') continue;
    const block = blocks[event.index];
    if (event.delta.type === 'thinking_delta') block.thinking += event.delta.thinking;
    if (event.delta.type === 'signature_delta') block.signature = event.delta.signature;
    if (event.delta.type === 'text_delta') block.text += event.delta.text;
  }
  return blocks;
}

const QUESTION = { role: 'user', content: 'Look.' };
const TOOLS = [{ name: 'look', input_schema: { type: 'object', properties: {} } }];

describe('what a service demands back', () => {
  afterEach(closeAll);

  for (const stream of [false, true]) {
    for (const returns of [true, false]) {
      const how = `${stream ? 'streamed' : 'whole'}, to a messages client that ${returns ? 'returns' : 'drops'} thinking`;
      const ask = async (message: object, model = 'a') => {
        const script = (): Answer => said(message, stream);
        const { port, servers } = await startRouter([{ formats: ['chat-completions'], script }]);
        const turn = async (messages: object[]) => {
          const body = JSON.stringify({ model, max_tokens: 4000, stream, messages, tools: TOOLS });
          const answer = await send({ port, path: '/api/v1/messages', body });
          assert.equal(answer.status, 200, answer.body.toString());
          return contentOf(answer.body.toString(), stream);
        };
        const content = await turn([QUESTION]);
        const kept = returns ? content : content.filter(({ type }) => type !== 'thinking');
        const call = content.find(({ type }) => type === 'tool_use');
        const result = { type: 'tool_result', tool_use_id: call?.id, content: 'A cat.' };
        await turn([
          QUESTION,
          { role: 'assistant', content: kept },
          { role: 'user', content: call ? [result] : 'And?' },
        ]);
        return servers[0]?.requests[1]?.body.messages[1] as Body;
      };

      for (const extra_content of [
        { google: { thought_signature: 'SIG' } },
        { vertex: { thought_signature: 'SIG' }, other: [1] },
      ]) {
        it(`comes back: ${Object.keys(extra_content)} of a call, ${how}`, async () => {
          const sent = await ask({ tool_calls: [{ ...CALL, extra_content }] }, 'gemini-3-pro');
          assert.deepEqual(sent.tool_calls[0].extra_content, extra_content);
        });
      }

      it(`comes back: the reasoning before a call, ${how}`, async () => {
        const sent = await ask({ reasoning_content: 'Hm, a tool.', tool_calls: [CALL] });
        assert.equal(sent.reasoning_content, 'Hm, a tool.');
      });

      it(`comes back: details of reasoning, ${how}`, async () => {
        const details = [
          { type: 'reasoning.summary', summary: 'Short.', format: 'x-v1', index: 0 },
          { type: 'reasoning.encrypted', data: 'c2VjcmV0', format: 'x-v1', id: 'r1', index: 0 },
        ];
        const sent = await ask({ reasoning_details: details, tool_calls: [CALL] });
        assert.deepEqual(sent.reasoning_details, details);
      });
    }
  }

  it('is replaced by the documented placeholder for a history of another vendor', async () => {
    const script = () => ({ parts: [{ text: 'ok' }] });
    const { port, servers } = await startRouter([{ formats: ['chat-completions'], script }]);
    const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} });
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'A cat.' });
    const messages = [
      QUESTION,
      { role: 'assistant', content: [use('a'), use('b')] },
      { role: 'user', content: [result('a'), result('b')] },
    ];
    const ask = (model: string) =>
      send({ port, path: '/api/v1/messages', body: JSON.stringify({ model, max_tokens: 100, messages }) });
    await ask('google/gemini-3-flash');
    await ask('other');
    const [first, second] = (servers[0]?.requests ?? []).map(({ body }) => body.messages[1].tool_calls as Body[]);
    const placeholder = { google: { thought_signature: 'skip_thought_signature_validator' } };
    assert.deepEqual(
      first?.map(({ extra_content }) => extra_content),
      [placeholder, undefined],
    );
    assert.deepEqual(
      second?.map(({ extra_content }) => extra_content),
      [undefined, undefined],
    );
  });
});

describe('reasoning of one upstream on another', () => {
  afterEach(closeAll);

  for (const stream of [false, true]) {
    it(`is taken out of a request that is passed on (${stream ? 'streamed' : 'whole'})`, async () => {
      let isDown = false;
      const { port, servers } = await startRouter(
        [
          {
            formats: ['chat-completions'],
            script: () =>
              isDown
                ? { status: 503, body: { error: { message: 'Down.' } } }
                : said({ reasoning_content: 'Hm.', content: 'Hello.' }, stream),
          },
          { formats: ['messages'], script: strict },
        ],
        {},
        {},
        { pair: { use: ['server0/a', 'server1/a'] } },
      );
      const turn = async (messages: object[]) =>
        send({
          port,
          path: '/api/v1/messages',
          body: JSON.stringify({ model: 'pair', max_tokens: 4000, stream, messages }),
        });
      const content = contentOf((await turn([QUESTION])).body.toString(), stream);
      assert.deepEqual(
        content.map(({ type }) => type),
        ['thinking', 'text'],
      );
      isDown = true;
      const answer = await turn([QUESTION, { role: 'assistant', content }, { role: 'user', content: 'And?' }]);
      assert.equal(answer.status, 200, answer.body.toString());
      const sent = servers[1]?.requests[0];
      assert.deepEqual(sent?.body.messages[1].content, [{ type: 'text', text: 'Hello.' }]);
      assert.ok(!sent?.text.includes(SEAL_MARK));
    });
  }

  it('leaves the caller with the failure that is about the request, if all upstreams fail', async () => {
    const { port } = await startRouter(
      [
        { formats: ['chat-completions'], script: () => ({ status: 503, body: { error: { message: 'Down.' } } }) },
        { formats: ['messages'], script: strict },
      ],
      {},
      {},
      { pair: { use: ['server0/a', 'server1/a'] } },
    );
    const content = [{ type: 'thinking', thinking: 'Hm.', signature: 'b3RoZXI=' }];
    const messages = [QUESTION, { role: 'assistant', content }, QUESTION];
    const body = JSON.stringify({ model: 'pair', max_tokens: 99, messages });
    const answer = await send({ port, path: '/api/v1/messages', body });
    assert.equal(answer.status, 400);
    assert.match(answer.body.toString(), /signature/);
  });

  it('is not sent to an upstream with a third format', async () => {
    const { port, servers } = await startRouter([
      { formats: ['responses'], script: () => ({ parts: [{ text: 'ok' }] }) },
    ]);
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' };
    const messages = [QUESTION, { role: 'assistant', content: [thinking, { type: 'text', text: 'Hi' }] }, QUESTION];
    const answer = await send({
      port,
      path: '/api/v1/messages',
      body: JSON.stringify({ model: 'a', max_tokens: 99, messages }),
    });
    assert.equal(answer.headers['x-model-access-dropped'], 'reasoning');
    assert.ok(!servers[0]?.requests[0]?.text.includes('c2lnbmVk'));
  });

  it('comes back to its author through previous_response_id', async () => {
    const script = () => ({ parts: [{ reasoning: 'Hm.', signature: 'c2lnbmVk' }, { text: 'Hello.' }] });
    const { port, servers } = await startRouter([{ formats: ['messages'], script }]);
    const ask = (members: object) =>
      send({ port, path: '/api/v1/responses', body: JSON.stringify({ model: 'a', ...members }) });
    const { id } = JSON.parse((await ask({ input: 'Hi' })).body.toString());
    await ask({ input: 'And?', previous_response_id: id });
    const sent: Body = servers[0]?.requests[1]?.body;
    assert.deepEqual(sent.messages[1].content[0], { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' });
  });
});

/** A messages service that refuses thinking which it has not signed. */
function strict({ body }: AskedRequest): Answer {
  const blocks = body.messages.flatMap(({ content }: Body) => (Array.isArray(content) ? content : []));
  const isForeign = blocks.some(({ type, signature }: Body) => type === 'thinking' && signature !== 'c2lnbmVk');
  if (!isForeign) return { parts: [{ text: 'ok' }] };
  const message = 'messages.1.content.0: Invalid `signature` in `thinking` block';
  return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
}
