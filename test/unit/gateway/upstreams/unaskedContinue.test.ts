import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import * as tls from 'node:tls';
import type { NetworkSettings } from '../../../../src/gateway/upstreams/dispatcher.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../support/gateway.ts';
import { startProxy } from '../support/proxy.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const WORDY = 'HTTP/1.1 100 Continue\r\nServer: x\r\nDate: Mon, 23 Nov 2026 12:00:00 GMT\r\n\r\n';
/** The text of an answer may look like an interim response. */
const BODY = CONTINUE.repeat(2);
const ANSWER = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

describe('an unsolicited interim response', () => {
  let server: Server;
  let write: (socket: Socket) => Promise<void>;
  let connections: number;

  beforeEach(async () => {
    connections = 0;
    await listen(createServer(serve));
  });
  afterEach(async () => {
    await closeAll();
    server.close();
  });

  async function listen(started: Server): Promise<void> {
    server?.close();
    server = started.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const serve = (socket: Socket) => {
    connections += 1;
    let received = '';
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk;
      const at = received.indexOf('{"n":1}');
      if (at === -1) return;
      received = received.slice(at + 7);
      void write(socket);
    });
  };
  const host = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (baseAddress = `http://${host()}/api/v1`, network: NetworkSettings = {}) => {
    const upstream = createHosted({ baseAddress, serviceKey: SERVICE_KEY, network });
    closeLater(() => upstream.close());
    const { port } = await startGateway({ upstream });
    const answers: string[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const { status, body } = await send({ port, path: '/v1/messages', body: '{"n":1}' });
      answers.push(`${status} ${body}`);
    }
    return answers;
  };
  const turn = () => new Promise((resolve) => setTimeout(resolve, 2));
  const inPieces = (text: string, length: number) => async (socket: Socket) => {
    for (let at = 0; at < text.length; at += length) {
      socket.write(text.slice(at, at + length));
      await turn();
    }
  };

  const cases: Readonly<Record<string, (socket: Socket) => Promise<void>>> = {
    'in one piece with the answer': inPieces(CONTINUE + ANSWER, 10_000),
    'before the answer': inPieces(CONTINUE + ANSWER, CONTINUE.length),
    'more than once, with headers': inPieces(CONTINUE + WORDY + CONTINUE + ANSWER, 10_000),
    'byte by byte': inPieces(WORDY + ANSWER, 1),
    'in pieces that end anywhere': inPieces(WORDY + CONTINUE + ANSWER, 13),
    'together with early hints': inPieces(`${CONTINUE}HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${ANSWER}`, 10_000),
  };
  for (const [name, how] of Object.entries(cases)) {
    it(`is skipped, ${name}, and the connection is reused`, async () => {
      write = how;
      assert.deepEqual(await ask(), Array(3).fill(`200 ${BODY}`));
      assert.equal(connections, 1);
    });
  }

  it('is skipped where a proxy sends it', async () => {
    write = inPieces(CONTINUE + WORDY + ANSWER, CONTINUE.length);
    assert.deepEqual(
      await ask('http://service.test/api/v1', { proxy: `http://${host()}` }),
      Array(3).fill(`200 ${BODY}`),
    );
    assert.equal(connections, 1);
  });

  for (const [who, interim] of [
    ['the service behind the tunnel of a proxy', undefined],
    ['the proxy before its tunnel', WORDY],
  ] as const) {
    it(`is skipped where ${who} sends it`, async () => {
      const pem = (name: string) => readFile(new URL(`../support/certificates/${name}.pem`, import.meta.url), 'utf8');
      await listen(tls.createServer({ key: await pem('serviceKey'), cert: await pem('service') }, serve));
      const proxy = await startProxy(undefined, interim);
      closeLater(() => proxy.close());
      write = inPieces(interim === undefined ? CONTINUE + ANSWER : ANSWER, CONTINUE.length);
      const network = { proxy: proxy.address, certificates: [await pem('authority')] };
      const address = `https://service.test:${(server.address() as AddressInfo).port}/api/v1`;
      assert.deepEqual(await ask(address, network), Array(3).fill(`200 ${BODY}`));
      assert.equal(connections, 1);
    });
  }

  it('without an end is an error, like any invalid answer', async () => {
    write = async (socket) => {
      socket.end(`HTTP/1.1 100 Continue\r\nX: ${'x'.repeat(100_000)}`);
    };
    assert.match((await ask())[0] ?? '', /^502 /);
  });
});
