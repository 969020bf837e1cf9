import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { FollowerLinks } from '../../../../src/gateway/sharing/followerLinks.ts';
import { type FollowerRequest, LINK_HEADER } from '../../../../src/gateway/sharing/linkProtocol.ts';
import { findOwner } from '../../../../src/gateway/sharing/ownerLink.ts';
import { createNonce } from '../../../../src/gateway/sharing/proof.ts';
import { SealedChannel } from '../../../../src/gateway/sharing/sealedChannel.ts';

const SECRET = randomBytes(32);
const PROVEN = { isProven: true };
const UNPROVEN = { isProven: false };
const LOCAL_KEY = { id: 'a', name: 'a', secret: 'key_canary', createdAt: 0 };

describe('authentication between the gateways of one user', () => {
  const servers: (Server | HttpServer)[] = [];
  const sockets = new Set<Socket>();

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  const listening = async (server: Server | HttpServer): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  const owner = async () => {
    const requests: FollowerRequest[] = [];
    const first = Promise.withResolvers<void>();
    const followers = new FollowerLinks({
      secret: SECRET,
      localKeys: () => ({ localKeys: [LOCAL_KEY] }),
      onLook: () => undefined,
      onLeft: () => undefined,
      onRequest: (asked) => {
        requests.push(asked);
        if (asked.type === 'stop') first.resolve();
      },
    });
    const port = await listening(createHttpServer().on('connect', followers.accept));
    return { port, followers, requests, requested: first.promise };
  };

  /** Returns what a program receives that knows the protocol, but not the secret. */
  const overheard = async (port: number, words: Buffer) => {
    const headers = { [LINK_HEADER]: createNonce().toString('base64url') };
    const asked = request({ host: '127.0.0.1', port, method: 'CONNECT', path: `127.0.0.1:${port}`, headers }).end();
    const [response, socket] = await once(asked, 'connect');
    const heard: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => heard.push(chunk)).on('error', () => undefined);
    socket.write(words);
    await once(socket, 'close');
    return { headers: response.rawHeaders.join('\n'), heard: Buffer.concat(heard) };
  };

  it('links those that share the secret', async () => {
    const { port, followers } = await owner();
    const found = await findOwner(port, SECRET);
    assert.equal(found.kind, 'owner');
    assert.ok(found.kind === 'owner');
    assert.deepEqual(found.keys, { localKeys: [LOCAL_KEY] });
    followers.sendClose('handover');
    assert.equal(await found.link.ended, 'handover');
  });

  it('rejects an owner with another secret', async () => {
    const { port, followers } = await owner();
    assert.equal((await findOwner(port, randomBytes(32))).kind, 'foreign');
    assert.equal(followers.size, 0);
  });

  it('reveals nothing to a program without the secret, and ignores its messages', async () => {
    const { port, followers, requests } = await owner();
    const frame = Buffer.concat([Buffer.from([0, 0, 0, 32]), randomBytes(32)]);
    for (const words of [frame, randomBytes(500), Buffer.from([255, 255, 255, 255])]) {
      const { headers, heard } = await overheard(port, words);
      assert.equal(heard.length, 0);
      assert.ok(!headers.includes(SECRET.toString('base64url')));
    }
    assert.deepEqual([followers.size, requests.length], [0, 0]);
  });

  it('accepts a window even if strangers exceed the number of connections', async () => {
    const { port, followers } = await owner();
    const headers = { [LINK_HEADER]: createNonce().toString('base64url') };
    for (let nth = 0; nth < 300; nth += 1) {
      const asked = request({ host: '127.0.0.1', port, method: 'CONNECT', path: `127.0.0.1:${port}`, headers }).end();
      const [, socket] = (await once(asked, 'connect')) as [unknown, Socket];
      sockets.add(socket.on('error', () => undefined));
    }
    assert.equal((await findOwner(port, SECRET)).kind, 'owner');
    assert.equal(followers.size, 1);
  });

  it('ignores messages of a window of another version, and continues', async () => {
    const { port, requests, requested } = await owner();
    const found = await findOwner(port, SECRET);
    assert.ok(found.kind === 'owner');
    const unknown: unknown[] = [null, 1, 'stop', [], {}, { type: 'stopAll' }, { type: '__proto__' }];
    const unfinished: unknown[] = [{ type: 'change' }, { type: 'change', settings: null }, { type: 'reportCalls' }];
    for (const message of [...unknown, ...unfinished]) found.link.send(message as FollowerRequest);
    found.link.send({ type: 'stop' });
    await requested;
    assert.deepEqual(requests, [{ type: 'stop' }]);
  });

  it('closes a connection whose other side stays silent', async () => {
    const { port, followers } = await owner();
    const { heard } = await overheard(port, Buffer.alloc(0));
    assert.deepEqual([heard.length, followers.size], [0, 0]);
  });

  it('rejects CONNECT requests of others, because the gateway is not a proxy', async () => {
    const { port } = await owner();
    const asked = request({ host: '127.0.0.1', port, method: 'CONNECT', path: 'example.org:443' }).end();
    const [response] = await once(asked, 'connect');
    assert.equal(response.statusCode, 405);
  });

  it('cannot be relayed to the owner of another port', async () => {
    const { port } = await owner();
    const relay = createServer((socket) => {
      const onward = connect(port, '127.0.0.1').on('error', () => undefined);
      sockets.add(onward);
      socket.pipe(onward).pipe(socket);
    });
    assert.equal((await findOwner(await listening(relay), SECRET)).kind, 'foreign');
  });

  describe('on a port of another program', () => {
    const foreign = async (answer: (socket: Socket) => void) => {
      const received: Buffer[] = [];
      const port = await listening(
        createServer((socket) => {
          socket.on('data', (chunk) => {
            received.push(chunk);
            answer(socket);
          });
        }),
      );
      const { kind } = await findOwner(port, SECRET);
      return { kind, received: Buffer.concat(received) };
    };

    it('sends only a random value, and reports the program as foreign', async () => {
      const answers: readonly ((socket: Socket) => void)[] = [
        (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'),
        (socket) => socket.write(`HTTP/1.1 200 OK\r\n${LINK_HEADER}: ${'A'.repeat(43)}.${'A'.repeat(43)}\r\n\r\n`),
        (socket) => socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'),
        (socket) => socket.write('220 mail.example.org ESMTP\r\n'),
        () => undefined,
      ];
      for (const answer of answers) {
        const { kind, received } = await foreign(answer);
        assert.equal(kind, 'foreign');
        assert.match(received.toString('latin1'), /^CONNECT \S+ HTTP\/1\.1\r\n/);
        assert.ok(!received.includes(SECRET) && !received.includes(SECRET.toString('base64url')));
        assert.equal(received.toString('latin1').split('\r\n\r\n')[1], '');
      }
    });

    it('finds no owner if the port is free or the other side disconnects immediately', async () => {
      assert.equal((await foreign((socket) => socket.destroy())).kind, 'nobody');
      const gone = createServer();
      const port = await listening(gone);
      await new Promise((resolve) => servers.pop()?.close(resolve));
      assert.equal((await findOwner(port, SECRET)).kind, 'nobody');
    });
  });
});

describe('the sealed channel', () => {
  /** Returns two ends of one connection, and the bytes that the first has sent. */
  const pair = async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [far] = (await once(server, 'connection')) as [Socket];
    server.close();
    const [one, other] = [randomBytes(32), randomBytes(32)];
    return {
      near,
      far,
      sender: new SealedChannel(near, { send: one, receive: other }, PROVEN),
      keys: { send: other, receive: one },
    };
  };

  it('delivers messages of any size in order, however the bytes are split', async () => {
    const { near, far, sender, keys } = await pair();
    // The first message proves that its sender knows the keys; later ones may be long.
    const messages = [{ a: 1 }, { text: 'ä€😀'.repeat(100_000) }, [], 'x'];
    const heard: unknown[] = [];
    const closed = Promise.withResolvers<void>();
    new SealedChannel(far, keys, UNPROVEN).start(Buffer.alloc(0), (message) => heard.push(message), closed.resolve);
    for (const message of messages) sender.send(message);
    sender.end();
    near.resume();
    await closed.promise;
    assert.deepEqual(heard, messages);
  });

  it('closes immediately if an unauthenticated peer announces more than 4 KB', async () => {
    for (const [length, isOver] of [
      [4_096, false],
      [4_097, true],
      [0xffffffff, true],
    ] as const) {
      const { near, far, keys } = await pair();
      const closed = Promise.withResolvers<void>();
      const announced = Buffer.alloc(4);
      announced.writeUInt32BE(length);
      new SealedChannel(far, keys, UNPROVEN).start(announced, () => undefined, closed.resolve);
      assert.equal(far.destroyed, isOver, String(length));
      far.destroy();
      near.destroy();
      await closed.promise;
    }
  });

  it('closes if a frame is repeated, changed, or missing', async () => {
    const changes: readonly ((frames: Buffer[]) => Buffer[])[] = [
      ([first = Buffer.alloc(0)]) => [first, first],
      ([first = Buffer.alloc(0)]) => [Buffer.from(first.with(10, (first[10] ?? 0) ^ 1))],
      ([, second = Buffer.alloc(0)]) => [second],
    ];
    for (const [index, change] of changes.entries()) {
      const { near, far, sender, keys } = await pair();
      const frames: Buffer[] = [];
      near.write = (chunk: unknown) => frames.push(chunk as Buffer) > 0;
      sender.send('one');
      sender.send('two');
      const heard: unknown[] = [];
      const closed = Promise.withResolvers<void>();
      new SealedChannel(far, keys, UNPROVEN).start(
        Buffer.concat(change(frames)),
        (text) => heard.push(text),
        closed.resolve,
      );
      await closed.promise;
      near.destroy();
      assert.deepEqual(heard, index === 0 ? ['one'] : []);
    }
  });
});
