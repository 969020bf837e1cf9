import assert from 'node:assert/strict';
import fc from 'fast-check';
import { METHOD_OF_ENDPOINT, matchRoute } from '../../../../src/gateway/core/route.ts';
import { markedAddress } from '../../../../src/rules/windowMark.ts';
import { anyCharacter } from '../../../support/anyCharacter.ts';

/** A stored response has an ID in its path. */
const ENDPOINTS = Object.keys(METHOD_OF_ENDPOINT).filter((endpoint) => endpoint !== '/responses/');

describe('the route of a URL path', () => {
  for (const endpoint of ENDPOINTS) {
    for (const prefix of ['/api/v1', '/v1', '/api/v1/v1', '/v1/v1', '/api', '']) {
      it(`finds ${endpoint} below "${prefix}"`, () => {
        assert.deepEqual(matchRoute(`${prefix}${endpoint}`), { kind: 'endpoint', endpoint, subpath: '', query: '' });
      });
    }
  }

  it('has the ID of a stored response', () => {
    const route = { kind: 'endpoint', endpoint: '/responses/', query: '' };
    assert.deepEqual(matchRoute('/v1/responses/resp_a-1'), { ...route, subpath: 'resp_a-1' });
    assert.deepEqual(matchRoute('/responses//resp_a/input_items/?limit=1'), {
      ...route,
      subpath: 'resp_a/input_items',
      query: '?limit=1',
    });
    for (const path of ['a/b', '..', '%2e%2e/models', 'a%2fb', 'a'.repeat(201)]) {
      assert.equal(matchRoute(`/v1/responses/${path}`).kind, 'unknown', path);
    }
  });

  it('ignores doubled and trailing slashes', () => {
    const property = fc.property(
      fc.constantFrom(...ENDPOINTS),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 6, maxLength: 6 }),
      fc.integer({ min: 0, max: 3 }),
      (endpoint, counts, trailing) => {
        let at = 0;
        const path = `/api/v1${endpoint}`.replaceAll('/', () => '/'.repeat(counts[at++ % counts.length] ?? 1));
        const route = matchRoute(path + '/'.repeat(trailing));
        assert.equal(route.kind === 'endpoint' && route.endpoint, endpoint);
      },
    );
    fc.assert(property);
  });

  it('keeps the query string unchanged', () => {
    const route = matchRoute('/v1/messages?beta=true&x=%2F&&y');
    assert.equal(route.kind === 'endpoint' && route.query, '?beta=true&x=%2F&&y');
  });

  it('keeps the id of a single model unchanged', () => {
    const route = matchRoute('/api/v1/models/vendor%2Fname-1.0?x=1');
    assert.deepEqual(route, { kind: 'endpoint', endpoint: '/models', subpath: '/vendor%2Fname-1.0', query: '?x=1' });
  });

  for (const path of ['/', '/health', '/health/live', '/api', '/api/', '/api/v1', '/api/hello', '/v1', '/?x=1']) {
    it(`treats ${path} as a probe`, () => assert.deepEqual(matchRoute(path), { kind: 'probe', subject: 'live' }));
  }

  it('treats /health/ready as the readiness probe', () => {
    assert.deepEqual(matchRoute('/health/ready'), { kind: 'probe', subject: 'ready' });
  });

  for (const path of [
    '/api/v2/messages',
    '/messages/x',
    '/Messages',
    '/apiv1/messages',
    '/v1messages',
    '/v11/messages',
    '/messages/api/v1',
    '/api/v1/models/../balance',
    '/api/v1/models/%2e%2E/balance',
    '/api/v1/models/..%2fbalance',
    '/api/v1/models/a\\..\\balance',
    '/api/v1/models/.',
    'http://127.0.0.1/api/v1/models',
    '*',
    '',
  ]) {
    it(`finds no endpoint at "${path}"`, () => assert.equal(matchRoute(path).kind, 'unknown'));
  }

  it('finds the mark of a window in front of every spelling of an endpoint', () => {
    for (const prefix of ['/api/v1', '/v1', '/api/v1/v1', '/api', '//api/v1/', '']) {
      const route = matchRoute(`/window/a-b_1${prefix}/messages?x=1`);
      assert.deepEqual(
        route,
        { kind: 'endpoint', endpoint: '/messages', subpath: '', query: '?x=1', window: 'a-b_1' },
        prefix,
      );
    }
    const address = new URL(markedAddress('http://127.0.0.1:8787/api/v1', 'abc'));
    const route = matchRoute(`${address.pathname}/models/a`);
    assert.deepEqual(route, { kind: 'endpoint', endpoint: '/models', subpath: '/a', query: '', window: 'abc' });
    assert.equal(matchRoute('/window/abc/api').kind, 'probe');
  });

  for (const path of [
    '/window/messages',
    '/window//messages',
    '/window/a.b/messages',
    '/window/a/window/b/messages',
    `/window/${'a'.repeat(65)}/messages`,
    '/window/a/../messages',
    '/windows/a/messages',
    '/api/window/a/messages',
  ]) {
    it(`finds no endpoint at "${path}"`, () => assert.deepEqual(matchRoute(path), { kind: 'unknown', path }));
  }

  it('never throws, whatever the path', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (address) => matchRoute(address).kind.length > 0));
  });
});
