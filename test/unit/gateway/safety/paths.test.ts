import assert from 'node:assert/strict';
import { LOCAL_KEY, sendRaw } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';

const HEADERS = `Host: localhost\r\nConnection: close\r\nAuthorization: Bearer ${LOCAL_KEY}\r\n`;

describe('a misleading request target', () => {
  afterEach(closeAll);

  const ask = async (target: string, method = 'GET') => {
    const { port, service } = await startPair();
    const answer = await sendRaw(port, `${method} ${target} HTTP/1.1\r\n${HEADERS}\r\n`);
    return { status: answer.slice(9, 12), paths: service.requests.map(({ path }) => path) };
  };

  for (const target of [
    '/api/v1/models/../balance',
    '/api/v1/models/../../../secret',
    '/api/v1/models/%2e%2e/balance',
    '/api/v1/models/.%2E%2fbalance',
    '/api/v1/models/%252e%252e%252fbalance',
    '/api/v1/models/%25252e%25252e/balance',
    '/api/v1/models/..;/balance',
    '/api/v1/models/..%5cbalance',
    '/api/v1/models/..\\balance',
    '/api/v1/models/a%00',
    '/api/v1/models/a%2500',
    '/api/v1/models/a%0d%0aX-Evil:%201',
    '/api/v1/models/a%7f',
    '/api/v1%2fmodels',
    '/api/v1/models#/../balance',
    '//evil.example/api/v1/models',
    'http://evil.example/api/v1/models',
    'http://localhost/api/v1/models',
    'https://localhost@evil.example/api/v1/models',
    '*',
  ]) {
    it(`is unknown, and no upstream is called: ${target}`, async () => {
      assert.deepEqual(await ask(target), { status: '404', paths: [] });
    });
  }

  for (const target of ['/api/v1/models/a\0b', '/api/v1/mo dels']) {
    it(`is not a valid request: ${JSON.stringify(target)}`, async () => {
      assert.deepEqual(await ask(target), { status: '400', paths: [] });
    });
  }

  it('is not used as the target of a tunnel', async () => {
    assert.deepEqual(await ask('127.0.0.1:22', 'CONNECT'), { status: '', paths: [] });
  });

  for (const [target, path] of [
    ['/api/v1//models', '/api/v1/models'],
    ['/api/v1/v1/models/', '/api/v1/models'],
    ['/models/vendor%2Fname-1.0', '/api/v1/models/vendor%2Fname-1.0'],
    ['/v1/models/vendor/name:free', '/api/v1/models/vendor/name:free'],
    ['/v1/models/a..b', '/api/v1/models/a..b'],
    ['/v1/models/100%25', '/api/v1/models/100%25'],
    ['/v1/models?next=../../balance%00', '/api/v1/models?next=../../balance%00'],
  ] as const) {
    it(`stays below the base address if it is only a name: ${target}`, async () => {
      assert.deepEqual(await ask(target), { status: '200', paths: [path] });
    });
  }
});
