import assert from 'node:assert/strict';
import { bypassesProxy } from '../../../../src/gateway/upstreams/dispatcher.ts';

describe('the hosts that are reached without a proxy', () => {
  it('are all of this machine, whatever is excluded', () => {
    for (const host of [
      ...['localhost', 'LOCALHOST', 'api.localhost', '127.0.0.1', '127.0.0.2', '127.1', '0.0.0.0'],
      ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:2]'],
    ]) {
      assert.ok(bypassesProxy(`http://${host}:8080`, []), host);
    }
    for (const host of ['10.0.0.1', 'mylocalhost', 'localhost.example.com', '[::2]', '128.0.0.1']) {
      assert.ok(!bypassesProxy(`http://${host}`, ['']), host);
    }
  });

  for (const [entry, yes, no] of [
    ['10.0.0.0/8', ['10.1.2.3', '[::ffff:10.1.2.3]'], ['11.0.0.1', 'ten.test']],
    ['192.168.1.0/24, fd00::/8', ['192.168.1.200', '[fd12:3456::1]'], ['192.168.2.1', '[fe80::1]']],
    ['2001:db8::1', ['[2001:db8::1]'], ['[2001:db8::2]']],
    ['[2001:db8::1]:8080', ['[2001:db8::1]:8080'], ['[2001:db8::1]']],
    ['10.0.0.1', ['10.0.0.1', '10.0.0.1:99'], ['10.0.0.2']],
    ['10.0.0.1:443', ['https://10.0.0.1'], ['http://10.0.0.1']],
    ['example.com', ['example.com', 'api.example.com', 'EXAMPLE.com'], ['badexample.com', 'example.org']],
    ['.example.com *.test', ['api.example.com', 'a.test'], ['example.de']],
    ['example.com:8080', ['api.example.com:8080'], ['api.example.com']],
    ['*', ['anything.test', '8.8.8.8'], []],
    ['10.0.0.0/99, /8, a/8, ::ffff, ,', [], ['10.0.0.1', 'a.test', '8.8.8.8']],
  ] as const) {
    it(`are named by "${entry}"`, () => {
      const origin = (host: string) => (host.includes('//') ? host : `http://${host}`);
      for (const host of yes) assert.ok(bypassesProxy(origin(host), [entry]), host);
      for (const host of no) assert.ok(!bypassesProxy(origin(host), [entry]), host);
    });
  }
});
