import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { resolveEntry } from '../../../../src/gateway/routing/resolvedEntry.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { editedBody } from '../../../../src/gateway/upstreams/bodyEdits.ts';
import { type CompatibleSettings, createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { ThinkTags } from '../../../../src/gateway/upstreams/thinkTags.ts';
import { AUTHORIZED, send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { type ReceivedRequest, startService } from '../support/scriptedService.ts';

const PATH = '/api/v1/chat/completions';
const QUESTION = '{"model":"m-1","messages":[{"role":"user","content":"Hi"}]}';
const MESSAGE = { role: 'assistant', content: 'Hi' };
const ANSWER = { id: 'a', model: 'm-1', choices: [{ index: 0, message: MESSAGE, finish_reason: 'stop' }] };

type Handle = (response: ServerResponse, request: ReceivedRequest) => void;

const answer: Handle = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER));
};

async function start(settings: Partial<CompatibleSettings>, handle = answer, suffix = '') {
  const service = await startService(handle);
  closeLater(() => service.close());
  const whole: CompatibleSettings = {
    id: 'x',
    baseUrl: service.baseAddress + suffix,
    formats: ['chat-completions'],
    models: ['*'],
    ...settings,
  };
  const router = new Router([{ ...whole, upstream: createCompatible(whole) }]);
  closeLater(() => router.close());
  const gateway = await startGateway({ upstream: router });
  const ask = (body = QUESTION, path = PATH) => send({ port: gateway.port, path, body });
  return { ...gateway, service, ask };
}

describe('what an operator sets for an upstream', () => {
  afterEach(closeAll);

  it('keeps the query of the base address, and adds further parameters', async () => {
    const { ask, service } = await start({ query: { tier: 'a b' } }, answer, '?api-version=2024-10-21');
    await ask(QUESTION, `${PATH}?api-version=1&beta=true`);
    assert.ok(service.requests[0]?.path.endsWith('/chat/completions?api-version=2024-10-21&tier=a+b&beta=true'));
  });

  it('sends its headers, instead of those of the caller', async () => {
    const { ask, service } = await start({ headers: { 'user-agent': 'ours', 'x-team': 't' } });
    await ask();
    const { headers } = service.requests[0] ?? {};
    assert.deepEqual([headers?.['user-agent'], headers?.['x-team']], ['ours', 't']);
  });

  for (const [auth, expected] of [
    ['bearer', { authorization: 'Bearer secret-key-of-x' }],
    ['api-key', { 'api-key': 'secret-key-of-x' }],
    ['none', {}],
  ] as const) {
    it(`sends the key as ${auth}`, async () => {
      const { ask, service } = await start({ auth, apiKey: 'secret-key-of-x' });
      await ask();
      const { authorization, 'api-key': apiKey, 'x-api-key': other } = service.requests[0]?.headers ?? {};
      assert.deepEqual(
        { ...(authorization && { authorization }), ...(apiKey && { 'api-key': apiKey }), ...(other && { other }) },
        expected,
      );
    });
  }

  it('masks secrets of headers in answers and errors', async () => {
    const secret = 'a-very-secret-header-value';
    for (const status of [200, 400]) {
      const echo: Handle = (response) => {
        response.writeHead(status, { 'content-type': 'application/json', 'x-echo': secret });
        response.end(JSON.stringify({ ...ANSWER, error: { message: secret } }));
      };
      const { ask } = await start({ headers: { 'x-team-token': secret }, maskedTexts: [secret] }, echo);
      const { headers, body } = await ask();
      assert.ok(!`${JSON.stringify(headers)}${body}`.includes(secret));
    }
  });

  it('sets and removes members of bodies for the models that a pattern names', async () => {
    const { ask, service } = await start({
      set: { 'm-*': { top_k: 5 } },
      remove: { '*': ['user'], other: ['messages'] },
    });
    await ask('{"model":"m-1","user":"u","messages":[]}');
    assert.equal(service.requests[0]?.body.toString(), '{"model":"m-1","messages":[],"top_k":5}');
  });

  it('leaves all other bytes of a body unchanged', () => {
    const edited = (body: string, name: string) =>
      editedBody(Buffer.from(body), 'm', { remove: { '*': [name] } }).toString();
    assert.equal(edited('{ "a" : 1 , "b": 12345678901234567890 }', 'a'), '{ "b": 12345678901234567890 }');
    assert.equal(edited('{"b":1.0,"a":{"a":1},"a":2}', 'a'), '{"b":1.0}');
    assert.equal(edited('{"a":1}', 'a'), '{}');
    assert.equal(edited('[1]', 'a'), '[1]');
    const set = (body: string) => editedBody(Buffer.from(body), 'm', { set: { '*': { a: null } } }).toString();
    assert.deepEqual([set('{}'), set('{"a":1,"b":2}')], ['{"a":null}', '{"a":null,"b":2}']);
  });

  it('keeps a session with its key, and turns to another key after a refusal', async () => {
    const refused = new Set<string>();
    const { ask, service } = await start(
      { apiKey: 'first-key-000', furtherKeys: ['second-key-00'] },
      (response, request) => {
        if (refused.has(String(request.headers.authorization)))
          response.writeHead(429, { 'retry-after': '60' }).end('{}');
        else answer(response, request);
      },
    );
    const used = () => service.requests.map(({ headers }) => String(headers.authorization));
    await ask();
    await ask();
    const [own = '', again] = used();
    assert.equal(own, again);
    refused.add(own);
    assert.equal((await ask()).status, 200);
    assert.equal((await ask()).status, 200);
    const other = own.includes('first') ? 'Bearer second-key-00' : 'Bearer first-key-000';
    assert.deepEqual(used().slice(2), [own, other, other]);
    refused.add(other);
    assert.equal((await ask()).status, 429);
  });

  it('keeps a translated session with its key, as a passed one', async () => {
    const keys = ['key-00', 'key-01', 'key-02', 'key-03'];
    const [apiKey = '', ...furtherKeys] = keys;
    const { port, service } = await start({ apiKey, furtherKeys });
    const headers = (id: string) => ({ ...AUTHORIZED, 'content-type': 'application/json', 'x-session-id': id });
    const body = '{"model":"m-1","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}';
    const metadata = (id: string) => body.replace('{', `{"metadata":{"user_id":"user_a_account__session_${id}"},`);
    const used = async (id: string) => {
      await send({ port, path: '/api/v1/messages', headers: headers(id), body: metadata(id) });
      return service.requests.at(-1)?.headers.authorization;
    };
    const ids = Array.from({ length: 8 }, (_, nth) => `00000000-0000-4000-8000-00000000000${nth}`);
    const first: unknown[] = [];
    for (const id of ids) first.push(await used(id));
    assert.ok(new Set(first).size > 1, 'sessions are spread over the keys');
    for (const [nth, id] of ids.entries()) assert.equal(await used(id), first[nth]);
  });

  for (const [name, headersNow, seconds] of [
    [
      'the reset of the limit that is exhausted',
      () => ({
        'x-ratelimit-reset-requests': '1m0s',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-tokens': '2h',
        'x-ratelimit-remaining-tokens': '5',
      }),
      60,
    ],
    ['a reset without what remains', () => ({ 'x-ratelimit-reset-requests': '90s' }), 90],
    ['a date', () => ({ 'anthropic-ratelimit-tokens-reset': new Date(Date.now() + 120_500).toISOString() }), 120],
    [
      'the reset of a subscription',
      () => ({ 'anthropic-ratelimit-unified-reset': String(Math.ceil(Date.now() / 1000) + 300) }),
      300,
    ],
    ['what the header says', () => ({ 'retry-after': '7', 'x-ratelimit-reset-requests': '90s' }), 7],
  ] as const) {
    it(`waits for ${name} after a refusal`, async () => {
      const { ask } = await start({}, (response) =>
        response.writeHead(429, headersNow()).end('{"error":{"message":"Slow."}}'),
      );
      const asked = Number((await ask()).headers['retry-after']);
      assert.ok(Math.abs(asked - seconds) <= 2, String(asked));
    });
  }

  it('does not wait for limits of which something remains', async () => {
    const headers = { 'x-ratelimit-reset-tokens': '1h', 'x-ratelimit-remaining-tokens': '5' };
    const { ask } = await start({}, (response) =>
      response.writeHead(429, headers).end('{"error":{"message":"Slow."}}'),
    );
    assert.equal((await ask()).headers['retry-after'], undefined);
  });

  it('reads text between think tags as reasoning', async () => {
    const content = '<think>Hm.</think>\n\nYes';
    const chunks = ['<th', 'ink>H', 'm.</', 'think>', '\n\nYes', ' <'].map((piece) => ({ content: piece }));
    const event = (delta: object, reason: string | null = null) =>
      `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
    const { ask } = await start({ thinkTags: true }, (response, { body }) => {
      if (!body.includes('"stream":true')) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ ...ANSWER, choices: [{ index: 0, message: { ...MESSAGE, content } }] }));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${chunks.map((delta) => event(delta)).join('')}${event({}, 'stop')}data: [DONE]\n\n`);
    });
    const whole = JSON.parse((await ask()).body.toString());
    assert.deepEqual([whole.choices[0].message.content, whole.choices[0].message.reasoning_content], ['Yes', 'Hm.']);
    const stream = (await ask(QUESTION.replace('}]}', '}],"stream":true}'))).body.toString();
    const deltas = stream
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .flatMap((line) => JSON.parse(line.slice(6)).choices.map((choice: { delta: object }) => choice.delta));
    const joined = (name: string) => deltas.map((delta) => delta[name] ?? '').join('');
    assert.deepEqual([joined('content'), joined('reasoning_content')], ['Yes <', 'Hm.']);
    assert.match(stream, /data: \[DONE\]/);
  });

  it('finds think tags however the text is divided', () => {
    const text = 'a<think>b</think> c <d> <think>e';
    for (let at = 0; at < text.length; at += 1) {
      const tags = new ThinkTags();
      const pieces = [tags.push(text.slice(0, at)), tags.push(text.slice(at)), tags.end()];
      assert.equal(pieces.map((piece) => piece.text).join(''), 'ac <d> ');
      assert.equal(pieces.map(({ reasoning }) => reasoning).join(''), 'be');
    }
  });
});

describe('the entry of an upstream', () => {
  const ENTRY = { id: 'x', baseUrl: 'http://x/', formats: ['chat-completions' as const], models: ['*'] };

  it('replaces environment variables in headers, which are secret', () => {
    const headers = { 'X-Token': `Bearer \${env:T}`, 'X-Team': 'a', 'X-Gone': `\${env:GONE}` };
    const { settings, unset } = resolveEntry({ ...ENTRY, headers }, { T: 'tttt' });
    assert.deepEqual(settings.headers, { 'x-token': 'Bearer tttt', 'x-team': 'a' });
    assert.deepEqual([settings.maskedTexts, unset], [['tttt'], ['GONE']]);
  });
});
