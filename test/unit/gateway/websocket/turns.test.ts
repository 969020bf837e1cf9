import assert from 'node:assert/strict';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import { send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';
import { type Script, type ScriptedService, startService } from '../support/scriptedService.ts';
import { errorOf, idOf, responseOf, SocketClient, textOf } from '../support/socketClient.ts';

const ITEM = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] };
const FUTURE_ITEM = '{"type":"future_item","id":"fi_1","big":12345678901234567890,"n":1.0}';

/** A stream with items and events that nobody knows, whose numbers no parser may change. */
function streamOf(id: string): string {
  const events = [
    ['response.created', `"response":{"id":"${id}","object":"response","status":"in_progress","output":[]}`],
    ['response.future', '"value":1.0'],
    ['response.output_item.done', `"output_index":0,"item":${FUTURE_ITEM}`],
    ['response.output_item.done', `"output_index":1,"item":${JSON.stringify(ITEM)}`],
    ['response.completed', `"response":{"id":"${id}","object":"response","status":"completed","output":[]}`],
  ];
  return events.map(([name, data]) => `event: ${name}\ndata: {"type":"${name}",${data}}\n\n`).join('');
}

const EVENTS = { 'content-type': 'text/event-stream' };

/** A gateway with an upstream of the responses format, which numbers its answers. */
async function start(script?: Script) {
  let answers = 0;
  const numbered: Script = (response) => response.writeHead(200, EVENTS).end(streamOf(`resp_${++answers}`));
  const service = await startService(script ?? numbered);
  closeLater(() => service.close());
  const settings = { id: 'up', baseUrl: service.baseAddress, formats: ['responses'] as FormatName[], models: ['*'] };
  const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
  closeLater(() => router.close());
  const running = await startGateway({ upstream: router });
  const client = await SocketClient.open(running.port);
  closeLater(async () => client.socket.terminate());
  return { running, service, client };
}

function bodies({ requests }: ScriptedService): string[] {
  return requests.map(({ body }) => body.toString());
}

describe('a turn over a WebSocket', () => {
  afterEach(closeAll);

  it('asks as over HTTP, with everything in it as it was written, and receives the same events', async () => {
    const { client, service, running } = await start();
    const recorded = running.nextRecord();
    client.socket.send('{"type":"response.create", "model":"a","store":false, "future":1.0 ,"input":[ {"x":1.50} ]}');
    await client.turn();
    assert.deepEqual(bodies(service), [
      '{"model":"a","store":false,"future":1.0,"input":[ {"x":1.50} ],"stream":true}',
    ]);
    const expected = streamOf('resp_1').matchAll(/^data: (.*)$/gm);
    assert.deepEqual(
      client.messages,
      [...expected].map(([, data]) => data),
    );
    const { endpoint, status, end, localKeyId } = await recorded;
    assert.deepEqual([endpoint, status, end, localKeyId], ['/responses', 200, 'completed', 'tests']);
    const { headers } = service.requests[0] ?? {};
    assert.equal(headers?.['content-type'], 'application/json');
    assert.equal(headers?.accept, 'text/event-stream');
    assert.ok(!Object.keys(headers ?? {}).some((name) => name.startsWith('sec-websocket')));
  });

  it('continues an answer that is not stored, with the items of the whole conversation unchanged', async () => {
    const { client, service } = await start();
    const first = await client.ask({ store: false, input: 'Hi' });
    const second = await client.ask({ store: false, previous_response_id: idOf(first), input: [{ n: 2 }] });
    await client.ask({ store: false, previous_response_id: idOf(second), input: [] });
    const question = '{"type":"message","role":"user","content":"Hi"}';
    const answer = `${FUTURE_ITEM},${JSON.stringify(ITEM)}`;
    assert.deepEqual(
      bodies(service).map((body) => /"input":(.*),"stream"/.exec(body)?.[1]),
      ['"Hi"', `[${question},${answer},{"n":2}]`, `[${question},${answer},{"n":2},${answer}]`],
    );
    assert.ok(bodies(service).every((body) => !body.includes('previous_response_id')));
  });

  it('leaves the continuation of a stored answer to the service that stores it', async () => {
    const { client, service } = await start();
    const first = await client.ask({ input: 'Hi' });
    await client.ask({ previous_response_id: idOf(first), input: 'Go on' });
    assert.match(bodies(service)[1] ?? '', /"previous_response_id":"resp_1","input":"Go on"/);
  });

  it('warms up without asking anyone, and continues from there', async () => {
    const { client, service, running } = await start();
    const warm = await client.ask({ store: false, generate: false, instructions: 'Be brief.', input: [{ n: 1 }] });
    assert.deepEqual([warm[0]?.type, responseOf(warm).output], ['response.created', []]);
    const warmer = await client.ask({ generate: false, previous_response_id: idOf(warm), input: [{ n: 2 }] });
    assert.deepEqual([service.requests.length, running.records.length], [0, 0]);
    await client.ask({ previous_response_id: idOf(warmer), input: [{ n: 3 }] });
    assert.match(bodies(service)[0] ?? '', /"input":\[\{"n":1\},\{"n":2\},\{"n":3\}\],"stream":true\}$/);
    assert.doesNotMatch(bodies(service)[0] ?? '', /generate|previous/);
  });

  it('does not warm up an answer that it does not know', async () => {
    const { client } = await start();
    const [event] = await client.ask({ generate: false, previous_response_id: 'resp_x', input: 'Hi' });
    assert.deepEqual([event?.status, errorOf(event).code], [400, 'previous_response_not_found']);
  });

  it('shares what it continues with no other connection', async () => {
    const { client, running, service } = await start();
    const first = await client.ask({ store: false, input: 'Hi' });
    const other = await SocketClient.open(running.port);
    await other.ask({ store: false, previous_response_id: idOf(first), input: 'Go on' });
    other.socket.close();
    assert.match(bodies(service)[1] ?? '', /"previous_response_id":"resp_1"/);
  });

  it('forgets what a failed turn has continued', async () => {
    const failing: Script = (response, { body }) => {
      if (body.includes('fail'))
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"No."}}');
      else response.writeHead(200, EVENTS).end(streamOf('resp_1'));
    };
    const { client, service } = await start(failing);
    const first = await client.ask({ store: false, input: 'Hi' });
    const next = { store: false, previous_response_id: idOf(first) };
    await client.ask({ ...next, input: 'fail' });
    await client.ask({ ...next, input: 'Go on' });
    assert.match(bodies(service)[2] ?? '', /"previous_response_id":"resp_1"/);
  });

  it('waits for the turn before it', async () => {
    const finish: (() => void)[] = [];
    const { client, service, running } = await start((response) => {
      response.writeHead(200, EVENTS).write(streamOf('resp_1').slice(0, 40));
      finish.push(() => response.end(streamOf('resp_1').slice(40)));
      waiting?.();
    });
    let waiting: (() => void) | undefined;
    const asked = () => new Promise<void>((resolve) => (waiting = resolve));
    const first = asked();
    client.create({ input: 'one' });
    client.create({ input: 'two' });
    await first;
    assert.equal(service.requests.length, 1);
    const second = asked();
    finish[0]?.();
    await client.turn();
    await second;
    finish[1]?.();
    await client.turn();
    assert.deepEqual(
      bodies(service).map((body) => /one|two/.exec(body)?.[0]),
      ['one', 'two'],
    );
    assert.equal(running.records[0]?.end, 'completed');
  });

  it('refuses requests when too many wait', async () => {
    const { client } = await start((response) => response.writeHead(200, EVENTS).flushHeaders());
    for (let nth = 0; nth < 18; nth++) client.create({ input: 'Hi' });
    const event = await client.next();
    assert.deepEqual([event.type, event.status], ['error', 429]);
  });

  it('is canceled when its client closes the connection', async () => {
    const asked = Promise.withResolvers<void>();
    const { client, service, running } = await start((response) => {
      response.writeHead(200, EVENTS).flushHeaders();
      asked.resolve();
    });
    const recorded = running.nextRecord();
    client.create({ input: 'Hi' });
    await asked.promise;
    client.socket.close();
    await service.clientLeft;
    assert.equal((await recorded).end, 'clientLeft');
  });

  it('reports an error with its status and when to try again, and leaves the connection open', async () => {
    let asked = 0;
    const { client } = await start((response) => {
      asked += 1;
      const error = { message: 'Slow down.', type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null };
      const headers = { 'content-type': 'application/json', 'retry-after': '7' };
      if (asked === 1) response.writeHead(429, headers).end(JSON.stringify({ error }));
      else response.writeHead(200, EVENTS).end(streamOf('resp_1'));
    });
    const [event] = await client.ask({ input: 'Hi' });
    assert.deepEqual(
      [event?.type, event?.status, event?.error],
      ['error', 429, { message: 'Slow down.', type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null }],
    );
    assert.deepEqual(
      Object.entries(event?.headers ?? {}).filter(([name]) => name === 'retry-after'),
      [['retry-after', '7']],
    );
    assert.equal((await client.ask({ input: 'Hi' })).at(-1)?.type, 'response.completed');
  });

  it('ends with an error if the upstream breaks off in the middle of an event, and leaves the connection open', async () => {
    let asked = 0;
    const delta = 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"a"}\n\n';
    const { client, running } = await start((response) => {
      asked += 1;
      if (asked > 1) response.writeHead(200, EVENTS).end(streamOf('resp_1'));
      else response.writeHead(200, EVENTS).write(`${delta}${delta.slice(0, -20)}`, () => response.destroy());
    });
    const recorded = running.nextRecord();
    const events = await client.ask({ input: 'Hi' });
    assert.deepEqual(
      events.map(({ type }) => type),
      ['response.output_text.delta', 'error'],
    );
    assert.equal((await recorded).end, 'upstreamFailed');
    assert.equal((await client.ask({ input: 'Hi' })).at(-1)?.type, 'response.completed');
  });

  it('sends a whole answer of an upstream that does not stream', async () => {
    const whole = { id: 'resp_9', object: 'response', status: 'incomplete', output: [ITEM], future: 1 };
    const { client, service } = await start((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole)),
    );
    const events = await client.ask({ store: false, input: 'Hi' });
    assert.deepEqual(
      events.map(({ type }) => type),
      ['response.created', 'response.incomplete'],
    );
    assert.deepEqual(events.at(-1)?.response, whole);
    await client.ask({ store: false, previous_response_id: 'resp_9', input: [] });
    assert.ok(bodies(service)[1]?.includes(JSON.stringify(ITEM)));
  });

  it('names the lane of its request in each event', async () => {
    const { client } = await start();
    const events = await client.ask({ stream_id: 'a "lane"', input: 'Hi' });
    assert.ok(events.length > 3 && events.every(({ stream_id: id }) => id === 'a "lane"'));
  });

  it('tells what is wrong with an event, and ignores one that asks for nothing', async () => {
    const { client, service } = await start();
    const { socket } = client;
    socket.send('{"type":"response.processed","response_id":"resp_1"}');
    for (const [sent, code, param] of [
      ['Hi', 'invalid_json', null],
      ['{"type":"response.create"', 'invalid_json', null],
      ['{"type":"response.create"} {}', 'invalid_json', null],
      [Buffer.from('{"type":"response.create"}'), 'invalid_json', null],
      ['{"type":"response.steer"}', 'invalid_value', 'type'],
      ['{"model":"a"}', 'invalid_value', 'type'],
      ['{"type":"response.create","model":"a","input":7}', 'invalid_value', 'input'],
      ['{"type":"response.create","model":"a","background":true}', 'invalid_value', 'background'],
      ['{"type":"response.create","model":"a","input":"x","input":"y"}', 'invalid_value', 'input'],
    ] as const) {
      socket.send(sent);
      const event = await client.next();
      const { type, status } = event;
      const { code: found, param: named } = errorOf(event);
      assert.deepEqual([type, status, found, named], ['error', 400, code, param], String(sent));
    }
    assert.equal(service.requests.length, 0);
  });
});

describe('turns over a WebSocket in front of every upstream', () => {
  afterEach(closeAll);

  for (const format of FORMAT_NAMES) {
    it(`continue an answer of an upstream of ${format}, stored or not`, async () => {
      const running = await startRouter([{ formats: [format], script: () => ({ parts: [{ text: 'ok' }] }) }]);
      for (const store of [false, true]) {
        const client = await SocketClient.open(running.port);
        const first = await client.ask({ store, input: 'one' });
        assert.equal(textOf(first), 'ok');
        const second = await client.ask({ store, previous_response_id: idOf(first), input: 'two' });
        assert.equal(textOf(second), 'ok');
        const asked = JSON.stringify(running.servers[0]?.requests.at(-1)?.body);
        if (format === 'responses' && store) assert.match(asked, /previous_response_id/);
        else assert.match(asked, /one.*ok.*two/);
        client.socket.close();
      }
    });
  }

  it('turn to another upstream before the first output', async () => {
    const running = await startRouter([
      { formats: ['responses'], script: () => ({ status: 503, body: { error: { message: 'Away.' } } }) },
      { formats: ['messages'], script: () => ({ parts: [{ text: 'ok' }] }) },
    ]);
    const client = await SocketClient.open(running.port);
    assert.equal(textOf(await client.ask({ store: false, input: 'Hi' })), 'ok');
    client.socket.close();
  });

  it('get the same answers of the sandbox as over HTTP', async () => {
    const running = await startGateway({ upstream: new Sandbox({ delayMs: 0, idSeed: 'a' }) });
    const body = { model: 'familyc-5.4', input: 'What did you receive?', store: false };
    const over = await send({
      port: running.port,
      path: '/api/v1/responses',
      body: JSON.stringify({ ...body, stream: true }),
    });
    const client = await SocketClient.open(running.port);
    const events = await client.ask(body);
    client.socket.close();
    const types = [...over.body.toString().matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
    assert.deepEqual(
      events.map(({ type }) => type),
      types,
    );
  });
});
