import assert from 'node:assert/strict';
import { baseAddressCandidates, normalizeBaseAddress } from '../../../src/service/baseAddress.ts';

describe('normalizeBaseAddress', () => {
  const accepted: readonly (readonly [typed: string, address: string])[] = [
    ['https://example.com/api/v1', 'https://example.com/api/v1'],
    [' https://example.com/api/v1/ ', 'https://example.com/api/v1'],
    ['"https://example.com/api/v1"', 'https://example.com/api/v1'],
    ['https://example.com//api//v1//', 'https://example.com/api/v1'],
    ['https://example.com/api/v1/chat/completions', 'https://example.com/api/v1'],
    ['https://example.com/api/v1/messages', 'https://example.com/api/v1'],
    ['https://example.com/api/v1/messages/count_tokens/', 'https://example.com/api/v1'],
    ['https://example.com/api/v1/models?limit=5#x', 'https://example.com/api/v1'],
    ['https://example.com/balance', 'https://example.com'],
    ['https://example.com', 'https://example.com'],
    ['https://example.com:8443/custom', 'https://example.com:8443/custom'],
    ['HTTPS://Example.COM/api/v1', 'https://example.com/api/v1'],
    ['example.com/api/v1', 'https://example.com/api/v1'],
    ['http://localhost:8787/api/v1', 'http://localhost:8787/api/v1'],
    ['localhost:8787/api/v1', 'http://localhost:8787/api/v1'],
    ['http://127.0.0.1:8787/api/v1/', 'http://127.0.0.1:8787/api/v1'],
    ['http://[::1]:8787/api/v1', 'http://[::1]:8787/api/v1'],
  ];
  for (const [typed, address] of accepted) {
    it(`converts ${JSON.stringify(typed)} to ${address}`, () => {
      assert.deepEqual(normalizeBaseAddress(typed), { ok: true, address });
    });
  }

  const refused: readonly (readonly [typed: string, says: RegExp])[] = [
    ['', /Enter/],
    ['   ', /Enter/],
    ['hello', /not a web address/],
    ['two words.com', /not a web address/],
    ['https://', /not a web address/],
    ['http://example.com/api/v1', /https so that nobody/],
    ['http://127.0.0.1.example.com/', /https so that nobody/],
    ['http://localhost.example.com/', /https so that nobody/],
    ['ftp://example.com', /start with https/],
    ['file:///etc/passwd', /start with https/],
    ['https://user:secret@example.com/api/v1', /user name or password/],
  ];
  for (const [typed, says] of refused) {
    it(`rejects ${JSON.stringify(typed)}`, () => {
      const result = normalizeBaseAddress(typed);
      assert.ok(!result.ok);
      assert.match(result.problem, says);
      assert.doesNotMatch(result.problem, /secret/);
    });
  }
});

describe('baseAddressCandidates', () => {
  const cases: readonly (readonly [typed: string, candidates: string[]])[] = [
    ['https://a.com/api/v1', ['https://a.com/api/v1']],
    ['https://a.com', ['https://a.com/api/v1', 'https://a.com']],
    ['https://a.com/api', ['https://a.com/api', 'https://a.com/api/v1']],
    ['https://a.com/llm', ['https://a.com/llm', 'https://a.com/llm/api/v1']],
    ['http://a.com', []],
  ];
  for (const [typed, candidates] of cases) {
    it(`returns the candidates for ${typed}`, () => assert.deepEqual(baseAddressCandidates(typed), candidates));
  }
});
