import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import type { Script } from '../../../support/modelServer/modelServer.ts';
import { USAGE } from '../../../support/modelServer/script.ts';
import { get, json, LOCAL_KEY, open, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const HELLO = { parts: [{ text: 'Hello' }] };
const OVERLOADED = { status: 503, body: { error: { message: 'Too much to do.', type: 'server_error', code: null } } };
const CHAT = '/api/v1/chat/completions';
const HEADERS = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };

function question(model: string): string {
  return JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] });
}

describe('the choice of an upstream', () => {
  afterEach(closeAll);

  it('follows the model name, with the most specific pattern first', async () => {
    const running = await startRouter([
      { script: () => HELLO, models: ['*'] },
      { script: () => HELLO, models: ['fast-*'] },
      { script: () => HELLO, models: ['fast-one'] },
    ]);
    for (const model of ['slow', 'fast-two', 'fast-one']) {
      await send({ port: running.port, path: CHAT, body: question(model) });
    }
    assert.deepEqual(
      running.servers.map(({ requests }) => requests.map(({ body }) => body.model)),
      [['slow'], ['fast-two'], ['fast-one']],
    );
    assert.deepEqual(
      running.records.map(({ upstream }) => upstream),
      ['server0', 'server1', 'server2'],
    );
  });

  it('can be explicit with upstream/model, and changes no other byte of the request', async () => {
    const running = await startRouter([{ script: () => HELLO }, { script: () => HELLO }]);
    const body = '{ "messages":[{"role":"user","content":"\\u0048i"}],\n "x":1.0,  "model" : "server1/org/model" }';
    const answer = await send({ port: running.port, path: CHAT, body });
    assert.equal(answer.status, 200);
    assert.equal(running.servers[0]?.requests.length, 0);
    assert.equal(running.servers[1]?.requests[0]?.text, body.replace('server1/org/model', 'org/model'));
  });

  it('keeps slashes in names without an upstream prefix', async () => {
    const running = await startRouter([{ script: () => HELLO }]);
    await send({ port: running.port, path: CHAT, body: question('org/model') });
    assert.equal(running.servers[0]?.requests[0]?.body.model, 'org/model');
  });

  it('supports aliases', async () => {
    const running = await startRouter([{ script: () => HELLO }, { script: () => HELLO }], { usual: 'server1/real' });
    await send({ port: running.port, path: CHAT, body: question('usual') });
    assert.equal(running.servers[1]?.requests[0]?.body.model, 'real');
  });

  it('finds the model after a long conversation', async () => {
    const running = await startRouter([{ script: () => HELLO, models: ['late'] }]);
    const messages = [{ role: 'user', content: 'x'.repeat(100_000) }];
    const answer = await send({ port: running.port, path: CHAT, body: JSON.stringify({ messages, model: 'late' }) });
    assert.equal(answer.status, 200);
  });

  for (const [path, read] of [
    [CHAT, (body: { error: { code: string } }) => body.error.code === 'model_not_found'],
    ['/api/v1/messages', (body: { error: { type: string } }) => body.error.type === 'not_found_error'],
  ] as const) {
    it(`reports an unknown model in the caller's format, at ${path}`, async () => {
      const running = await startRouter([{ script: () => HELLO, models: ['other'] }]);
      const answer = await send({ port: running.port, path, body: question('missing') });
      assert.equal(answer.status, 404);
      assert.ok(read(json(answer) as never), answer.body.toString());
      assert.equal(running.servers[0]?.requests.length, 0);
    });
  }

  for (const body of ['{"messages":[]}', '[]', 'no json', '{"model":7}']) {
    it(`refuses a request without a model: ${body}`, async () => {
      const running = await startRouter([{ script: () => HELLO }]);
      assert.equal((await send({ port: running.port, path: CHAT, body })).status, 400);
    });
  }

  it('sends the key of the upstream and no other', async () => {
    const formats: FormatName[] = ['chat-completions', 'messages'];
    const running = await startRouter([
      { script: () => HELLO, apiKey: 'sk-1234567890', formats },
      { script: () => HELLO, models: ['keyless'] },
    ]);
    await send({ port: running.port, path: CHAT, body: question('a') });
    await send({ port: running.port, path: '/api/v1/messages', body: question('a') });
    await send({ port: running.port, path: CHAT, body: question('keyless') });
    const [first, second] = running.servers[0]?.requests ?? [];
    assert.equal(first?.headers.authorization, 'Bearer sk-1234567890');
    assert.equal(first?.headers['x-api-key'], undefined);
    assert.equal(second?.headers['x-api-key'], 'sk-1234567890');
    assert.equal(running.servers[1]?.requests[0]?.headers.authorization, undefined);
  });
});

describe('an upstream that cannot answer', () => {
  afterEach(closeAll);

  for (const [name, failure] of [
    ['breaks the connection', 'hang up'],
    ['has too many requests', { ...OVERLOADED, status: 429 }],
    ['fails', { ...OVERLOADED, status: 500 }],
    ['is overloaded', OVERLOADED],
  ] as const) {
    it(`is replaced by the next one that offers the model if it ${name}`, async () => {
      const running = await startRouter([{ script: () => failure }, { script: () => HELLO, formats: ['messages'] }]);
      const answer = await send({ port: running.port, path: CHAT, body: question('a') });
      assert.equal(answer.status, 200);
      assert.match(answer.body.toString(), /Hello/);
      assert.deepEqual([running.records[0]?.upstream, running.records[0]?.upstreamFormat], ['server1', 'messages']);
    });
  }

  it('is not replaced if the request itself is invalid', async () => {
    const refusal = { status: 400, body: { error: { message: 'No.', type: 'invalid_request_error', code: null } } };
    const running = await startRouter([{ script: () => refusal }, { script: () => HELLO }]);
    assert.equal((await send({ port: running.port, path: CHAT, body: question('a') })).status, 400);
    assert.equal(running.servers[1]?.requests.length, 0);
  });

  it('is not replaced if it was chosen explicitly', async () => {
    const running = await startRouter([{ script: () => OVERLOADED }, { script: () => HELLO }]);
    assert.equal((await send({ port: running.port, path: CHAT, body: question('server0/a') })).status, 503);
  });

  it('has its error passed on if no other one can answer either', async () => {
    const headers = { 'retry-after': '7' };
    const limited = { ...OVERLOADED, status: 429, headers };
    const running = await startRouter([{ script: () => limited }, { script: () => 'hang up' }]);
    const answer = await send({ port: running.port, path: CHAT, body: question('a') });
    assert.equal(answer.status, 429);
    assert.equal(answer.headers['retry-after'], '7');
    assert.equal(running.records[0]?.upstream, 'server0');
  });

  it('causes an error of the gateway if no connection succeeds', async () => {
    const running = await startRouter([{ script: () => 'hang up' }]);
    const answer = await send({ port: running.port, path: CHAT, body: question('a') });
    assert.equal(answer.status, 502);
    assert.equal(running.records[0]?.end, 'upstreamFailed');
  });

  it('is skipped while it is down, and used again after a successful probe', async () => {
    const running = await startRouter([{ script: () => 'hang up' }, { script: () => HELLO }]);
    const [dead] = running.servers;
    let sessions = 0;
    const ask = () => {
      sessions += 1;
      // Uses a new session each time, because a session stays where it was moved.
      const headers = { ...HEADERS, 'x-session-id': `session ${sessions}` };
      return send({ port: running.port, path: CHAT, body: question('a'), headers });
    };
    for (let nth = 0; nth < 5; nth += 1) assert.equal((await ask()).status, 200);
    assert.equal(dead?.requests.length, 3);
    if (dead !== undefined) dead.script = () => HELLO;
    const probe = await dead?.request(3);
    assert.equal(probe?.path, '/api/v1/models');
    await probe?.ended;
    // The answer to the probe must first reach the gateway.
    do await ask();
    while (running.records.at(-1)?.upstream !== 'server0');
  });
});

describe('the lists of several upstreams', () => {
  afterEach(closeAll);

  const list = (...ids: string[]) => ({
    status: 200,
    body: {
      object: 'list',
      data: ids.map((id) => ({ id, object: 'model', created: 5, owned_by: 'x', context_window: 9 })),
    },
  });

  const start = () =>
    startRouter(
      [
        { script: () => list('a', 'b'), models: ['a', 'named'] },
        { script: () => list('b', 'a', 'c/d'), formats: ['messages'] },
        { script: () => 'hang up', models: ['gone'] },
      ],
      { usual: 'a' },
    );

  it('are combined in the chat-completions format, each model once and only if its upstream offers it', async () => {
    const { port } = await start();
    const { object, data } = json(await get({ port, path: '/api/v1/models?limit=1000' })) as {
      object: string;
      data: { id: string; object: string; created: number }[];
    };
    assert.equal(object, 'list');
    assert.deepEqual(
      data.map(({ id }) => id),
      ['usual', 'a', 'named', 'b', 'c/d', 'gone'],
    );
    assert.deepEqual(data[1], { id: 'a', object: 'model', created: 5, owned_by: 'x', context_window: 9 });
  });

  it('are combined in the messages format', async () => {
    const { port } = await start();
    const headers = { 'x-api-key': LOCAL_KEY, 'anthropic-version': '2023-06-01' };
    const body = json(await get({ port, path: '/api/v1/models', headers })) as {
      data: { type: string; created_at: string }[];
      has_more: boolean;
      first_id: string;
      last_id: string;
    };
    assert.deepEqual([body.has_more, body.first_id, body.last_id], [false, 'usual', 'gone']);
    assert.deepEqual([body.data[1]?.type, body.data[1]?.created_at], ['model', '1970-01-01T00:00:05.000Z']);
  });

  it('include single models, also with a slash in the name or an upstream prefix', async () => {
    const { port } = await start();
    for (const name of ['c/d', 'c%2Fd', 'usual', 'server0/a', 'server1%2Fc%2Fd']) {
      const answer = await get({ port, path: `/api/v1/models/${name}` });
      assert.equal(answer.status, 200, name);
      const { id, created } = json(answer) as { id: string; created: number };
      assert.deepEqual([id, created], [decodeURIComponent(name), 5]);
    }
    assert.equal((await get({ port, path: '/api/v1/models/none' })).status, 404);
  });

  it('include no balance if no upstream reports one', async () => {
    const { port } = await start();
    const answer = await get({ port, path: '/api/v1/balance' });
    assert.equal(answer.status, 404);
    assert.ok((json(answer) as { error: { message: string } }).error.message);
  });
});

describe('count_tokens with several upstreams', () => {
  afterEach(closeAll);
  const path = '/api/v1/messages/count_tokens?beta=true';
  const body = JSON.stringify({
    model: 'a',
    system: 'Be brief. '.repeat(100),
    messages: [{ role: 'user', content: 'Hello' }],
    tools: [{ name: 'tool', description: 'A tool. '.repeat(100), input_schema: { type: 'object' } }],
  });

  it('is forwarded to an upstream of the messages format', async () => {
    const script = () => ({ status: 200, body: { input_tokens: 4711 } });
    const running = await startRouter([{ script, formats: ['messages'] }]);
    const answer = await send({ port: running.port, path, body });
    assert.deepEqual(json(answer), { input_tokens: 4711 });
    assert.equal(answer.headers['x-model-access-estimate'], undefined);
  });

  it('is a complete estimate, marked as an estimate, if the upstream does not count', async () => {
    const upstreams = [
      ['speaks another format', ['chat-completions'], { status: 200, body: { input_tokens: 1 } }],
      ['does not count', ['messages'], { status: 404, body: {} }],
      ['counts nothing', ['messages'], { status: 200, body: { input_tokens: 0 } }],
      ['breaks off', ['messages'], 'hang up'],
    ] as const;
    const { port } = await startRouter(
      upstreams.map(([, formats, answered]) => ({ script: () => answered, formats: [...formats] })),
    );
    for (const [nth, [name]] of upstreams.entries()) {
      const answer = await send({ port, path, body: body.replace('"a"', `"server${nth}/a"`) });
      assert.equal(answer.status, 200, name);
      assert.equal(answer.headers['x-model-access-estimate'], 'estimated; factor=1.10', name);
      const { input_tokens: tokens } = json(answer) as { input_tokens: number };
      assert.ok(tokens > 500 && tokens < 900, `${name}: ${tokens}`);
    }
  });

  it('answers forty parallel requests while forty completions hang', async () => {
    const running = await startRouter([{ script: () => 'stay silent' }]);
    const hanging = Array.from({ length: 40 }, () => open({ port: running.port, path: CHAT }));
    for (const completion of hanging) completion.on('error', () => undefined).end(question('a'));
    await running.servers[0]?.request(39);
    const asked = Array.from({ length: 40 }, () => send({ port: running.port, path, body }));
    for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200);
    for (const completion of hanging) completion.destroy();
  });

  it('never counts as a failure of an upstream, whatever it answers', async () => {
    const script: Script = ({ path: asked }) => (asked.includes('count_tokens') ? OVERLOADED : HELLO);
    const running = await startRouter([{ script, formats: ['messages'] }, { script: () => HELLO }]);
    for (let i = 0; i < 5; i += 1) assert.equal((await send({ port: running.port, path, body })).status, 200);
    await send({ port: running.port, path: '/api/v1/messages', body: question('a') });
    assert.equal(running.records.at(-1)?.upstream, 'server0');
  });

  it('learns from the usage that the upstream reports for later requests', async () => {
    const said = { parts: [{ text: 'Hello' }] };
    const running = await startRouter([{ script: () => said }]);
    const content = 'one two three '.repeat(100);
    const asked = JSON.stringify({ model: 'a', messages: [{ role: 'user', content }] });
    const before = json(await send({ port: running.port, path, body: asked })) as { input_tokens: number };
    await send({ port: running.port, path: CHAT, body: asked });
    for (;;) {
      const answer = await send({ port: running.port, path, body: asked });
      if (answer.headers['x-model-access-estimate'] === 'estimated; factor=1.10') continue;
      const { input_tokens: now } = json(answer) as typeof before;
      // The scripted server always reports 120.
      assert.ok(now < before.input_tokens && now > USAGE.prompt, `${now} after ${before.input_tokens}`);
      break;
    }
  });

  it('rejects an invalid request', async () => {
    const running = await startRouter([{ script: () => HELLO }]);
    const answer = await send({ port: running.port, path, body: '{"model":"a","messages":7}' });
    assert.equal(answer.status, 400);
    assert.equal((json(answer) as { type: string }).type, 'error');
  });
});
