import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Callers, parseAddressRange } from '../../../../src/gateway/access/callers.ts';
import { json, LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, startGateway } from '../support/gateway.ts';
import { InstantUpstream } from '../support/instantUpstream.ts';

const request = (remoteAddress: string, headers: IncomingMessage['headers'] = {}) =>
  ({ socket: { remoteAddress }, headers }) as IncomingMessage;

const addressOf = (proxies: readonly string[], remoteAddress: string, forwarded?: string) =>
  new Callers(proxies, () => undefined).addressOf(
    request(remoteAddress, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
  );

describe('the address of a caller', () => {
  for (const [what, proxies, remote, forwarded, expected] of [
    ['none for programs of this machine', [], '127.0.0.1', undefined, undefined],
    ['none for programs of this machine over IPv6', [], '::1', undefined, undefined],
    ["the connection's, in its shorter form", [], '::ffff:10.0.0.7', undefined, '10.0.0.7'],
    ["the connection's without trusted proxies, whatever a header says", [], '10.0.0.7', '192.0.2.1', '10.0.0.7'],
    ["the connection's when it is no proxy's", ['10.1.0.0/16'], '10.0.0.7', '192.0.2.1', '10.0.0.7'],
    ['what a trusted proxy says', ['10.0.0.0/8'], '10.0.0.7', '192.0.2.1', '192.0.2.1'],
    ['what a trusted proxy says over IPv6', ['fd00::/8'], 'fd00::7', '2001:db8::1', '2001:db8::1'],
    ['the last that no trusted proxy has', ['10.0.0.0/8'], '10.0.0.7', '1.1.1.1, 192.0.2.1, 10.9.9.9', '192.0.2.1'],
    ['without the port that some proxies add', ['10.0.0.7'], '10.0.0.7', '192.0.2.1:4711', '192.0.2.1'],
    ['without the port and brackets of IPv6', ['10.0.0.7'], '10.0.0.7', '[2001:db8::1]:4711', '2001:db8::1'],
    ["the proxy's when it says nothing that is an address", ['10.0.0.7'], '10.0.0.7', 'unknown', '10.0.0.7'],
    ["the proxy's when it says nothing", ['10.0.0.7'], '10.0.0.7', undefined, '10.0.0.7'],
    ['what a trusted proxy of this machine says', ['127.0.0.1'], '::ffff:127.0.0.1', '192.0.2.1', '192.0.2.1'],
  ] as const) {
    it(`is ${what}`, () => assert.equal(addressOf(proxies, remote, forwarded), expected));
  }
});

describe('parsing of an address range', () => {
  for (const text of ['10.0.0.5', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8']) {
    it(`accepts ${text}`, () => assert.ok(parseAddressRange(text)));
  }
  for (const text of ['', 'localhost', '10.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '::/129']) {
    it(`rejects "${text}"`, () => assert.equal(parseAddressRange(text), undefined));
  }
});

describe('a gateway behind a proxy', () => {
  afterEach(closeAll);

  const start = async (trustedProxies: readonly string[]) => {
    const messages: string[] = [];
    const note = (message: string) => messages.push(message);
    const rules = { trustedProxies, allowedHosts: ['gateway.example'], onRefusedCallers: note, onPlainCaller: note };
    const { port } = await startGateway({ upstream: new InstantUpstream(), ...rules });
    const ask = (path: string, headers: Record<string, string>) =>
      send({ port, path, headers: { host: 'gateway.example', 'content-type': 'application/json', ...headers } });
    return { messages, ask };
  };
  const authorization = `Bearer ${LOCAL_KEY}`;

  it('counts refused callers by the forwarded address', async () => {
    const { messages, ask } = await start(['127.0.0.1']);
    await ask('/v1/messages', { 'x-forwarded-for': '192.0.2.1' });
    assert.deepEqual(messages, ['Refused before authentication: 1 × no local key (1 from 192.0.2.1).']);
  });

  it('ignores a forwarded address from an untrusted sender', async () => {
    const { messages, ask } = await start(['10.0.0.7']);
    await ask('/v1/messages', { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'http' });
    assert.deepEqual(messages, ['Refused before authentication: 1 × no local key.']);
  });

  it('reports its own address with the scheme that the caller used', async () => {
    for (const [proxy, scheme] of [
      ['127.0.0.1', 'https'],
      ['10.0.0.7', 'http'],
    ] as const) {
      const { ask } = await start([proxy]);
      const answer = await ask('/v1/unknown', { authorization, 'x-forwarded-proto': 'https' });
      assert.equal(answer.status, 404);
      assert.match(JSON.stringify(json(answer)), new RegExp(`all below ${scheme}://gateway\\.example/api/v1\\.`));
    }
  });

  it('warns once about keys that reach the proxy unencrypted', async () => {
    const { messages, ask } = await start(['127.0.0.1']);
    await ask('/v1/messages', { authorization, 'x-forwarded-proto': 'https' });
    assert.deepEqual(messages, []);
    for (let nth = 0; nth < 3; nth += 1) await ask('/v1/messages', { authorization, 'x-forwarded-proto': 'http' });
    assert.deepEqual(messages, [
      'A request reached the proxy 127.0.0.1 over http://, where its key can be read on the way. Use https:// there.',
    ]);
  });
});
