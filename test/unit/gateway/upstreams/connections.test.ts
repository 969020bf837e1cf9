import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { json, LOCAL_KEY, open, read, send, sendRaw } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway, startPair } from '../support/gateway.ts';
import { startProxy } from '../support/proxy.ts';
import { startService } from '../support/scriptedService.ts';

const HEAD = `Host: localhost\r\nAuthorization: Bearer ${LOCAL_KEY}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';

function post(path: string, body: string, headers = ''): string {
  return `POST ${path} HTTP/1.1\r\n${HEAD}${JSON_TYPE}${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** Returns the bodies of successive answers on a connection, none of them chunked. */
function bodiesOf(answers: string): string[] {
  return [...answers.matchAll(/content-length: (\d+)[\s\S]*?\r\n\r\n/gi)].map((match) => {
    const start = (match.index ?? 0) + match[0].length;
    return answers.slice(start, start + Number(match[1]));
  });
}

describe('a connection with pipelined requests', () => {
  afterEach(closeAll);

  it('returns their answers in order, even if the first one takes longest', async () => {
    const waiting: (() => void)[] = [];
    const { port, service } = await startPair((response, { body }) => {
      const answer = () => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
      };
      // The last request triggers the answer to the first.
      if (body.toString() !== '{"nth":1}') answer();
      else waiting.push(answer);
      if (body.toString() === '{"nth":4}') for (const late of waiting) setImmediate(late);
    });
    const posts = [1, 2, 3, 4].map((nth) =>
      post('/v1/messages', `{"nth":${nth}}`, nth === 4 ? 'Connection: close\r\n' : ''),
    );
    const answers = await sendRaw(port, posts.join(''));
    assert.deepEqual(bodiesOf(answers), ['{"nth":1}', '{"nth":2}', '{"nth":3}', '{"nth":4}']);
    assert.equal(service.requests.length, 4);
  });

  it('stays open if one of them is refused', async () => {
    const { port } = await startPair((response, { body }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    });
    const wrong = post('/v1/messages', '{}').replace(LOCAL_KEY, 'key_wrong');
    const unknown = `GET /v1/nothing HTTP/1.1\r\n${HEAD}\r\n`;
    const last = post('/v1/messages', '{"nth":3}', 'Connection: close\r\n');
    const answers = await sendRaw(port, wrong + unknown + last);
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 404', 'HTTP/1.1 200']);
    assert.equal(bodiesOf(answers).at(-1), '{"nth":3}');
  });

  it('serves hundreds in sequence without leaking listeners', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const { port, records } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }).end('{}');
    });
    const posts = Array.from({ length: 299 }, () => post('/v1/messages', '{}')).join('');
    const answers = await sendRaw(port, posts + post('/v1/messages', '{}', 'Connection: close\r\n'));
    process.off('warning', note);
    assert.equal(answers.match(/HTTP\/1\.1 200/g)?.length, 300);
    assert.equal(records.length, 300);
    assert.deepEqual(warnings, []);
  });
});

describe('a probe', () => {
  afterEach(closeAll);

  for (const path of ['/', '/health', '/api', '/api/', '/api/hello', '/v1', '/api/v1']) {
    it(`is answered at ${path}, without a body for HEAD`, async () => {
      const { port, service } = await startPair();
      const got = await send({ port, path, method: 'GET', headers: {} });
      assert.deepEqual([got.status, json(got)], [200, { status: 'ok' }]);
      const head = await send({ port, path, method: 'HEAD', headers: {} });
      assert.deepEqual([head.status, head.body.length], [200, 0]);
      assert.equal(service.requests.length, 0);
    });
  }

  it('can be pipelined with others on one connection', async () => {
    const { port } = await startPair();
    const probe = `HEAD /api HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const answers = await sendRaw(
      port,
      `${probe}${probe}GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200']);
    assert.match(answers, /\r\n\r\n\{"status":"ok"\}$/);
  });
});

describe('a client that requests a WebSocket', () => {
  afterEach(closeAll);

  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n';

  it('is answered over HTTP at every other path, like one that requests HTTP/2', async () => {
    const { port, service } = await startPair();
    const closing = upgrade.replace('Upgrade\r\n', 'Upgrade, close\r\n');
    const models = await sendRaw(port, `GET /v1/models HTTP/1.1\r\n${HEAD}${closing}\r\n`);
    assert.match(models, /^HTTP\/1\.1 200 /);
    const wish = 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    const body = '{"model":"a","input":"Hi"}';
    const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const answer = await sendRaw(port, `POST /v1/responses HTTP/1.1\r\n${HEAD}${wish}${type}\r\n${body}`);
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.equal(service.requests.at(-1)?.body.toString(), body);
    const posted = await sendRaw(port, `POST /v1/responses HTTP/1.1\r\n${HEAD}${closing}${type}\r\n${body}`);
    assert.match(posted, /^HTTP\/1\.1 200 /);
  });

  it('is disconnected if an earlier request on its connection is still being answered', async () => {
    const { port } = await startPair((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
    );
    const body = '{"model":"a","input":"Hi"}';
    const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    for (const wish of [upgrade, 'Connection: Upgrade\r\nUpgrade: h2c\r\n']) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(`POST /v1/responses HTTP/1.1\r\n${HEAD}${type}\r\n${body}`);
      await once(socket, 'data');
      const closed = new Promise((resolve) => socket.resume().on('close', resolve));
      socket.write(`GET /v1/responses HTTP/1.1\r\n${HEAD}${wish}\r\n`);
      await closed;
    }
  });

  it('gets 400 if its handshake is invalid, and can continue over HTTP', async () => {
    const { port } = await startPair();
    const answer = await sendRaw(port, `GET /v1/responses HTTP/1.1\r\n${HEAD}${upgrade}\r\n`);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.equal((await send({ port, path: '/v1/responses' })).status, 200);
  });

  it('is subject to the access rules', async () => {
    const { port, service } = await startPair();
    const ask = async (head: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET /v1/responses HTTP/1.1\r\n${head}${upgrade}\r\n`);
      const [answer] = await once(socket, 'data');
      socket.destroy();
      return String(answer);
    };
    assert.match(await ask(HEAD.replace('localhost', 'evil.example')), /^HTTP\/1\.1 403 /);
    assert.match(await ask(`${HEAD}Origin: http://evil.example\r\n`), /^HTTP\/1\.1 403 /);
    assert.match(await ask(HEAD.replace(LOCAL_KEY, 'key_wrong')), /^HTTP\/1\.1 401 /);
    assert.equal(service.requests.length, 0);
  });
});

describe('many parallel streams', () => {
  afterEach(closeAll);

  const STREAMS = 150;

  for (const isProxied of [false, true]) {
    it(`all start, each on a separate connection${isProxied ? ', through a proxy' : ''}`, async () => {
      const responses: ServerResponse[] = [];
      const service = await startService((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
        responses.push(response);
      });
      closeLater(() => service.close());
      const proxy = await startProxy();
      closeLater(() => proxy.close());
      const upstream = createHosted({
        baseAddress: isProxied ? `http://service.test:${service.port}/api/v1` : service.baseAddress,
        serviceKey: SERVICE_KEY,
        ...(isProxied && { network: { proxy: proxy.address } }),
      });
      closeLater(() => upstream.close());
      const { port } = await startGateway({ upstream });
      const answers = Array.from({ length: STREAMS }, async () => {
        const request = open({ port, path: '/v1/messages' });
        request.end('{}');
        const [response] = await once(request, 'response');
        return read(response);
      });
      while (responses.length < STREAMS) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const response of responses) response.end('data: 2\n\n');
      for (const { body } of await Promise.all(answers)) {
        // On a busy machine, the first streams are silent for so long that the gateway sends pings.
        const data = body
          .toString()
          .split('\n\n')
          .filter((event) => !event.startsWith('event: ping\n'));
        assert.deepEqual(data, ['data: 1', 'data: 2', '']);
      }
      assert.equal(proxy.requests.length, isProxied ? STREAMS : 0);
    });
  }
});

describe('a client that waits for "100 Continue"', () => {
  afterEach(closeAll);

  it('then sends its body, on a connection that stays open', async () => {
    const { port, service } = await startPair();
    const socket = connect(port, '127.0.0.1');
    closeLater(async () => void socket.destroy());
    const heard = async () => String((await once(socket, 'data'))[0]);
    for (let nth = 0; nth < 2; nth++) {
      socket.write(
        `POST /v1/messages HTTP/1.1\r\n${HEAD}${JSON_TYPE}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
      );
      assert.equal(await heard(), 'HTTP/1.1 100 Continue\r\n\r\n');
      socket.write('{}');
      let answer = await heard();
      while (!answer.endsWith('0\r\n\r\n')) answer += await heard();
      assert.match(answer, /^HTTP\/1\.1 200 /);
    }
    assert.deepEqual(
      service.requests.map(({ body }) => body.toString()),
      ['{}', '{}'],
    );
  });
});
