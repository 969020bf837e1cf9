import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { messages } from '../../../../src/formats/messages/index.ts';
import { keyedResponses, markedChatCompletions, markedMessages } from '../../../../src/gateway/upstreams/cacheMarks.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { agentSession } from '../../../support/agentSessions.ts';
import { costOf, PrefixCache } from '../../../support/prefixCache.ts';
import { send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { type ReceivedRequest, startService } from '../support/scriptedService.ts';

const MARK = '"cache_control":{"type":"ephemeral"}';
const marked = (body: string) => markedMessages(Buffer.from(body))?.toString();
const markedChat = (body: string) => markedChatCompletions(Buffer.from(body))?.toString();

describe('a request with automatic cache marks', () => {
  it('has a mark on its last system prompt and one for the whole request, and is otherwise unchanged', () => {
    assert.equal(
      marked('{ "model": "m",  "system": "Be \\" brief." , "messages":[ ]\n}'),
      `{ "model": "m",  "system": [{"type":"text","text":"Be \\" brief.",${MARK}}] , "messages":[ ]\n,${MARK}}`,
    );
    assert.equal(
      marked('{"system":[{"type":"text","text":"a"}, {"type":"text","text":"b"} ],"tools":[{"name":"t"}]}'),
      `{"system":[{"type":"text","text":"a"}, {"type":"text","text":"b",${MARK}} ],"tools":[{"name":"t"}],${MARK}}`,
    );
  });

  it('has a mark on its last tool if it has no system prompt', () => {
    assert.equal(
      marked('{"tools":[{"name":"a"},{"name":"b"}]}'),
      `{"tools":[{"name":"a"},{"name":"b",${MARK}}],${MARK}}`,
    );
    assert.equal(
      marked('{"system":"","tools":[{"name":"a"}]}'),
      `{"system":"","tools":[{"name":"a",${MARK}}],${MARK}}`,
    );
  });

  it('is unchanged if its client sets a mark or an option', () => {
    for (const own of [MARK, '"prompt_cache_options":{"mode":"explicit"}', '"prompt_cache_breakpoint":{}'])
      assert.equal(marked(`{"model":"m","messages":[{"role":"user","content":[{"type":"text",${own}}]}]}`), undefined);
  });

  it('is unchanged if it is not an object', () => {
    for (const body of ['[]', '{}', '{"model":"m"', 'text', '']) assert.equal(marked(body), undefined, body);
  });

  it('is marked even if a text in it mentions marks', () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: `Why is ${MARK} there?` }] });
    assert.equal(marked(body), `${body.slice(0, -1)},${MARK}}`);
  });

  it('in chat completions has marks on its system prompt and on its last question or result', () => {
    const [system, user, answer] = [
      '{"role":"system","content":"s"}',
      '{"role":"user","content":"u"}',
      '{"role":"assistant","content":"a"}',
    ];
    const part = (text: string) => `[{"type":"text","text":"${text}",${MARK}}]`;
    assert.equal(
      markedChat(`{"messages":[${system},${user},${answer},{"content":"r","role":"tool"}]}`),
      `{"messages":[{"role":"system","content":${part('s')}},${user},${answer},{"content":${part('r')},"role":"tool"}]}`,
    );
    assert.equal(markedChat(`{"messages":[${user}]}`), `{"messages":[{"role":"user","content":${part('u')}}]}`);
  });

  it('costs at most 40 % of the input of sessions whose client sets no marks', () => {
    const services = { unmarked: new PrefixCache(), marked: new PrefixCache() };
    const costs = { unmarked: 0, marked: 0 };
    for (const { request, at } of [1, 2, 3, 4].flatMap((seed) => agentSession(seed))) {
      const sent = JSON.stringify(messages.encodeRequest(request));
      costs.unmarked += costOf(services.unmarked.answer(JSON.parse(sent), at));
      costs.marked += costOf(services.marked.answer(JSON.parse(marked(sent) ?? sent), at));
    }
    assert.ok(costs.marked <= 0.4 * costs.unmarked, `$${costs.marked.toFixed(2)} of $${costs.unmarked.toFixed(2)}`);
  });

  it('in responses has a cache key for its session, unless its client sets one', () => {
    assert.equal(
      keyedResponses(Buffer.from('{"input":"x"}'), 'abc')?.toString(),
      '{"input":"x","prompt_cache_key":"abc"}',
    );
    assert.equal(keyedResponses(Buffer.from('{"prompt_cache_key":"own"}'), 'abc'), undefined);
  });
});

describe('an upstream with automatic cache marks', () => {
  afterEach(closeAll);

  async function start(answer: (response: ServerResponse, request: ReceivedRequest) => void, cache?: 'auto') {
    const service = await startService(answer);
    closeLater(() => service.close());
    const settings = {
      id: 'vendor',
      baseUrl: service.baseAddress,
      formats: ['messages'] as const,
      models: ['*'],
      cache,
    };
    const upstream = createCompatible(settings);
    closeLater(() => upstream.close());
    return { service, ...(await startGateway({ upstream })) };
  }

  const answer = (response: ServerResponse, usage = {}) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ type: 'message', role: 'assistant', content: [], usage }));
  const body = '{"model":"m","system":"s","messages":[{"role":"user","content":"q"}]}';

  it('that refuses them gets a retry without them, and no more marks', async () => {
    const { port, service } = await start((response, request) => {
      if (!request.body.includes('cache_control')) {
        answer(response);
        return;
      }
      const error = { type: 'invalid_request_error', message: 'cache_control: Extra inputs are not permitted' };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }));
    }, 'auto');
    for (let count = 0; count < 2; count++)
      assert.equal((await send({ port, path: '/v1/messages', body })).status, 200);
    const sent = service.requests.map((request) => request.body.toString());
    assert.deepEqual(sent, [marked(body), body, body]);
  });

  it('has its other refusals passed on', async () => {
    const { port, service } = await start((response) => response.writeHead(400).end('{"error":"no"}'), 'auto');
    const refused = await send({ port, path: '/v1/messages', body });
    assert.deepEqual([refused.status, refused.body.toString(), service.requests.length], [400, '{"error":"no"}', 1]);
  });

  it('gets the client’s bytes unchanged without the setting', async () => {
    const { port, service } = await start((response) => answer(response));
    await send({ port, path: '/v1/messages', body });
    assert.equal(service.requests[0]?.body.toString(), body);
  });

  it('is not reported for a missing mark', async () => {
    const usage = { input_tokens: 5000, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const { port, records } = await start((response) => answer(response, usage), 'auto');
    const more = JSON.stringify({
      ...JSON.parse(body),
      messages: [
        { role: 'user', content: 'q' },
        { role: 'user', content: 'r' },
      ],
    });
    for (const each of [body, more]) await send({ port, path: '/v1/messages', body: each });
    assert.deepEqual(
      records.map(({ cacheMiss }) => cacheMiss?.reason),
      ['cold', 'server'],
    );
  });
});
