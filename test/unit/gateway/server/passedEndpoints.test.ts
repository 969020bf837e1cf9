import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { type CompatibleSettings, createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { AUTHORIZED, LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { type ReceivedRequest, startService } from '../support/scriptedService.ts';

type Handle = (response: ServerResponse, request: ReceivedRequest) => void;

const AUDIO = Buffer.from([0xff, 0x00, 0xfe, 0x7b, 0x0d, 0x0a]);
const VECTORS = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.1] }],
  model: 'e',
  usage: { prompt_tokens: 8, total_tokens: 8 },
};

const answer: Handle = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(VECTORS));
};

async function start(
  handles: readonly Handle[],
  aliases = {},
  settings: Partial<CompatibleSettings> = {},
  keys?: IssuedKey[],
) {
  const services = [];
  const members = [];
  for (const [nth, handle] of handles.entries()) {
    const service = await startService(handle);
    closeLater(() => service.close());
    services.push(service);
    const whole: CompatibleSettings = {
      id: `s${nth}`,
      baseUrl: service.baseAddress,
      formats: ['messages'],
      models: ['e'],
      ...settings,
    };
    members.push({ ...whole, upstream: createCompatible(whole) });
  }
  const router = new Router(members, aliases);
  closeLater(() => router.close());
  return { ...(await startGateway({ upstream: router, ...(keys && { localKeys: keys }) })), services };
}

function form(boundary: string, ...fields: readonly string[]): Buffer {
  const parts = fields.map(
    (field) => `--${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\n${field}\r\n`,
  );
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.mp3"\r\n\r\n`;
  return Buffer.concat([Buffer.from(parts.join('') + file), AUDIO, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

describe('an endpoint that passes unread', () => {
  afterEach(closeAll);

  for (const path of [
    '/completions',
    '/embeddings',
    '/moderations',
    '/rerank',
    '/images/generations',
    '/images/edits',
    '/audio/speech',
  ]) {
    it(`passes ${path} byte for byte to the upstream that offers the model, whatever its formats`, async () => {
      const { port, services, nextRecord } = await start([answer]);
      const recorded = nextRecord();
      const body = '{ "model":"e",  "input":"a \\u00e4", "n":1.0 }';
      const { status, body: received } = await send({ port, path: `/v1${path}`, body });
      assert.deepEqual([status, received.toString()], [200, JSON.stringify(VECTORS)]);
      const [request] = services[0]?.requests ?? [];
      assert.ok(request?.path.endsWith(path));
      assert.equal(request?.body.toString(), body);
      const { endpoint, model, upstream, usage } = await recorded;
      assert.deepEqual([endpoint, model, upstream], [path, 'e', 's0']);
      assert.deepEqual(usage, { inputTokens: 8, outputTokens: 0 });
    });
  }

  for (const path of ['/v1/audio/transcriptions', '/v1/audio/translations', '/v1/images/edits']) {
    it(`passes a form to ${path} and a binary answer, with the name of the upstream for the model`, async () => {
      const { port, services } = await start(
        [(response) => response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(AUDIO)],
        { whisper: 's0/real-model' },
      );
      const headers = { ...AUTHORIZED, 'content-type': 'multipart/form-data; boundary=xx-yy' };
      const { status, body } = await send({ port, path, headers, body: form('xx-yy', 'whisper') });
      assert.deepEqual([status, body.equals(AUDIO)], [200, true]);
      const [request] = services[0]?.requests ?? [];
      assert.ok(request?.body.equals(form('xx-yy', 'real-model')));
      assert.equal(request?.headers['content-type'], headers['content-type']);
    });
  }

  describe('older completions', () => {
    const event = (text: string) =>
      `data: ${JSON.stringify({ object: 'text_completion', choices: [{ index: 0, text }] })}\n\n`;
    const usage = { prompt_tokens: 3, completion_tokens: 60, total_tokens: 63 };
    const stream =
      (events: string): Handle =>
      (response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${events}data: [DONE]\n\n`);
    const body = (more: object = {}) => JSON.stringify({ model: 'e', prompt: 'Once', stream: true, ...more });

    it('are asked for the usage of their streams, which is not shown', async () => {
      const events = Array.from({ length: 60 }, () => event(' a')).join('');
      const last = `data: ${JSON.stringify({ object: 'text_completion', choices: [], usage })}\n\n`;
      const { port, services, nextRecord } = await start([stream(events + last)]);
      const recorded = nextRecord();
      const answered = await send({ port, path: '/v1/completions', body: body() });
      assert.equal(answered.body.toString(), `${events}data: [DONE]\n\n`);
      assert.match(services[0]?.requests[0]?.body.toString() ?? '', /"stream_options":\{"include_usage":true\}/);
      const record = await recorded;
      assert.deepEqual(record.usage, { inputTokens: 3, outputTokens: 60 });
      assert.notEqual(record.usageIsEstimated, true);
    });

    it('are estimated by their texts without usage, never above their own limit', async () => {
      const events = Array.from({ length: 60 }, () => event(' word')).join('');
      for (const [more, most, least] of [
        [{}, 90, 40],
        [{ max_tokens: 20 }, 20, 20],
        [{ max_tokens: 20, n: 2 }, 40, 40],
      ] as const) {
        const { port, nextRecord } = await start([stream(events)]);
        const recorded = nextRecord();
        await send({ port, path: '/v1/completions', body: body(more) });
        const { outputTokens = 0 } = (await recorded).usage ?? {};
        assert.ok(outputTokens >= least && outputTokens <= most, `${outputTokens} for ${JSON.stringify(more)}`);
      }
    });
  });

  it('counts the input of a response, which costs nothing', async () => {
    const key: IssuedKey = {
      ...{ id: 'k', name: 'k', secret: LOCAL_KEY, createdAt: 0 },
      budgets: [{ amount: 1, unit: 'usd', period: 'total' }],
    };
    const counted = '{"object":"response.input_tokens","input_tokens":11}';
    const handle: Handle = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(counted);
    const { port, services, nextRecord } = await start([handle], {}, {}, [key]);
    const recorded = nextRecord();
    const body = '{"model":"e","input":"a"}';
    const answered = await send({ port, path: '/v1/responses/input_tokens', body });
    assert.deepEqual([answered.status, answered.body.toString()], [200, counted]);
    const { usage, upstream, end } = await recorded;
    assert.deepEqual([usage, upstream, end], [undefined, 's0', 'completed']);
    const [request] = services[0]?.requests ?? [];
    assert.deepEqual([request?.path, request?.body.toString()], ['/api/v1/responses/input_tokens', body]);
  });

  it('counts toward a budget in dollars where a price is known, and is refused otherwise', async () => {
    const key: IssuedKey = {
      ...{ id: 'k', name: 'k', secret: LOCAL_KEY, createdAt: 0 },
      budgets: [{ amount: 1, unit: 'usd', period: 'total' }],
    };
    const prices = { '*': { inputPrice: 1, outputPrice: 1 } };
    const statusOf = async (path: string, settings: Partial<CompatibleSettings>) => {
      const { port } = await start([answer], {}, settings, [key]);
      return (await send({ port, path, body: '{"model":"e","input":"a"}' })).status;
    };
    assert.equal(await statusOf('/v1/embeddings', { prices }), 200);
    assert.ok((await statusOf('/v1/embeddings', {})) >= 400);
    assert.ok((await statusOf('/v1/images/generations', { prices })) >= 400);
  });

  it('is refused for a key whose list of models does not contain the model', async () => {
    const key: IssuedKey = { ...{ id: 'k', name: 'k', secret: LOCAL_KEY, createdAt: 0 }, models: ['other'] };
    const { port, services } = await start([answer], {}, {}, [key]);
    const headers = { ...AUTHORIZED, 'content-type': 'multipart/form-data; boundary=xx' };
    const whole = await send({ port, path: '/v1/embeddings', body: '{"model":"e","input":"a"}' });
    const sent = await send({ port, path: '/v1/audio/transcriptions', headers, body: form('xx', 'e') });
    assert.ok(whole.status >= 400 && sent.status >= 400);
    assert.equal(services[0]?.requests.length, 0);
  });

  it('refuses a form that names no model or two', async () => {
    const { port, services } = await start([answer]);
    const headers = { ...AUTHORIZED, 'content-type': 'multipart/form-data; boundary=xx' };
    for (const fields of [[], ['e', 'f']]) {
      const { status, body } = await send({
        port,
        path: '/v1/audio/transcriptions',
        headers,
        body: form('xx', ...fields),
      });
      assert.deepEqual([status, JSON.parse(body.toString()).error.param], [400, 'model']);
    }
    assert.equal(services[0]?.requests.length, 0);
  });

  it('turns to the next upstream before the first byte', async () => {
    const { port, nextRecord } = await start([(response) => response.writeHead(503).end('{}'), answer]);
    const recorded = nextRecord();
    const { status } = await send({ port, path: '/v1/embeddings', body: '{"model":"e","input":"a"}' });
    assert.deepEqual([status, (await recorded).upstream], [200, 's1']);
  });

  it('does not pause a model that an upstream lacks only here', async () => {
    const missing: Handle = (response, { path }) => {
      const isChat = path.endsWith('/messages');
      const error = { type: 'error', error: { type: 'not_found_error', message: 'model: e' } };
      const message = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'e',
        content: [],
        stop_reason: 'end_turn',
      };
      const body = isChat ? { ...message, usage: { input_tokens: 1, output_tokens: 1 } } : error;
      response.writeHead(isChat ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const { port, services } = await start([missing, answer]);
    const embeddings = await send({ port, path: '/api/v1/embeddings', body: '{"model":"e","input":"a"}' });
    assert.equal(embeddings.status, 200);
    const body = JSON.stringify({ model: 'e', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] });
    await send({ port, path: '/api/v1/messages', body });
    assert.deepEqual(
      services.map(({ requests }) => requests.length),
      [2, 1],
    );
  });

  it('names the endpoints at an unknown path', async () => {
    const { port } = await start([answer]);
    const { status, body } = await send({ port, path: '/v1/videos', body: '{}' });
    assert.equal(status, 404);
    assert.match(body.toString(), /\/embeddings, .*\/audio\/transcriptions/);
  });
});

describe('a stored response', () => {
  afterEach(closeAll);
  const stored = {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    usage: { input_tokens: 9, output_tokens: 9 },
  };
  const has: Handle = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(stored));
  const lacks: Handle = (response) =>
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"Not here."}}');
  const cut: Handle = (response) => response.socket?.destroy();
  const get = (port: number, path: string) => send({ port, path, method: 'GET', headers: AUTHORIZED });

  it('comes from the upstream that has it, and counts nothing', async () => {
    const { port, services, nextRecord } = await start([lacks, cut, has], {}, { formats: ['responses'] });
    const recorded = nextRecord();
    const answered = await get(port, '/v1/responses/resp_1?include=a');
    assert.deepEqual([answered.status, JSON.parse(answered.body.toString())], [200, stored]);
    assert.equal(services[2]?.requests[0]?.path, '/api/v1/responses/resp_1?include=a');
    const { upstream, usage, endpoint } = await recorded;
    assert.deepEqual([upstream, usage, endpoint], ['s2', undefined, '/responses/']);
    assert.equal((await get(port, '/v1/responses/resp_1/input_items')).status, 200);
  });

  it('counts once what it has used if it was made in the background', async () => {
    const running = { ...stored, model: 'e', output: [], background: true, status: 'queued', usage: null };
    const done = { ...running, status: 'completed', usage: stored.usage };
    const states = [running, running, done, done];
    const next: Handle = (response) => {
      const state = JSON.stringify(states.shift());
      response.writeHead(200, { 'content-type': 'application/json' }).end(state);
    };
    const { port, nextRecord } = await start([next], {}, { formats: ['responses'] });
    const recordOf = async (sent: Promise<unknown>) => {
      const recorded = nextRecord();
      await sent;
      const { usage, model, usageIsEstimated = false } = await recorded;
      return [model, usage?.inputTokens, usage?.outputTokens, usageIsEstimated];
    };
    const body = JSON.stringify({ model: 'e', input: 'Hi', background: true });
    assert.deepEqual(await recordOf(send({ port, path: '/v1/responses', body })), ['e', undefined, undefined, false]);
    const poll = () => recordOf(get(port, '/v1/responses/resp_1'));
    assert.deepEqual(await poll(), [undefined, undefined, undefined, false]);
    assert.deepEqual(await poll(), ['e', 9, 9, false]);
    assert.deepEqual(await poll(), [undefined, undefined, undefined, false]);
  });

  it('is a 404 if no upstream has it, or none stores responses', async () => {
    const missing = await start([lacks, lacks], {}, { formats: ['responses'] });
    const answered = await get(missing.port, '/v1/responses/resp_1');
    assert.deepEqual([answered.status, JSON.parse(answered.body.toString()).error.message], [404, 'Not here.']);
    const other = await start([has]);
    assert.equal((await get(other.port, '/v1/responses/resp_1')).status, 404);
    assert.equal(other.services[0]?.requests.length, 0);
  });

  it('has a plain ID', async () => {
    const { port, services } = await start([has], {}, { formats: ['responses'] });
    for (const path of ['/v1/responses/', '/v1/responses/..%2fmodels', '/v1/responses/a/b', '/v1/responses/a/cancel']) {
      assert.ok((await get(port, path)).status >= 404, path);
    }
    assert.equal(services[0]?.requests.length, 0);
  });
});
