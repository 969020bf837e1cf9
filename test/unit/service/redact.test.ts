import assert from 'node:assert/strict';
import fc from 'fast-check';
import { redact, redactKeys } from '../../../src/service/redact.ts';

describe('redact', () => {
  const cases: readonly (readonly [text: string, redacted: string])[] = [
    ['key_9f8e7d6c5b4a', 'key_…'],
    ['The key key_9f8e7d6c5b4a is unknown.', 'The key key_… is unknown.'],
    ['{"key":"key_9f8e7d6c"}', '{"key":"key_…"}'],
    ['Authorization: Bearer key_9f8e7d6c', 'Authorization: Bearer …'],
    ['authorization: Bearer eyJhbGciOi.J9.x_y', 'authorization: Bearer …'],
    ['Bearer%20key_9f8e7d6c5b4a39281706', 'Bearer …'],
    ['key%5F9f8e7d6c5b4a', 'key_…'],
    ['{"message":"key\\u005f9f8e7d6c"}', '{"message":"key_…"}'],
    ['key&#95;9f8e7d6c5b4a', 'key_…'],
    ['key&lowbar;9f8e7d6c5b4a', 'key_…'],
    ['url%3Dkey_9f8e7d6c5b4a39281706', 'url%3Dkey_…'],
    ['x-api-key: abc123def', 'x-api-key: …'],
    ['"x-api-key":"abc123def"', '"x-api-key":"…"'],
    ['?api_key=abc123&x=1', '?api_key=…&x=1'],
    ['sk-ant-api03-AbCdEfGh', 'sk-…'],
    ['Basic dXNlcjpwYXNz', 'Basic …'],
    ['http://user:pass@proxy:8080/x', 'http://…@proxy:8080/x'],
  ];
  for (const [text, redacted] of cases) it(`redacts ${text}`, () => assert.equal(redact(text), redacted));

  const untouched = [
    'api_key_invalid',
    'Bearer token is missing',
    'The turkey_dish',
    'https://example.com/a@b',
    'task-list',
  ];
  for (const text of untouched) it(`does not change ${text}`, () => assert.equal(redact(text), text));

  it('redacts every key, wherever it occurs', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9_-]{16,64}$/);
    fc.assert(
      fc.property(fc.string(), secret, fc.string(), (before, body, after) => {
        assert.ok(!redact(`${before}key_${body}${after}`).includes(body));
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.constantFrom(...cases.map(([text]) => text)), (text) => redact(redact(text)) === redact(text)),
    );
  });

  // The engine throws at some 16 million characters of a run that a pattern takes without a limit.
  it('processes megabytes that look like a key', () => {
    assert.match(redact('sk-'.repeat(6_000_000)), /^sk-…/);
    assert.equal(redact('key_'.repeat(4_500_000)), 'key_…');
    assert.equal(redact(`Bearer ${'a'.repeat(18_000_000)}`), 'Bearer …');
    assert.equal(redact(`api_key: ${'!'.repeat(18_000_000)}`), 'api_key: …');
    assert.equal(redact(`https://${'a:'.repeat(9_000_000)}@host/`), 'https://…@host/');
  });
});

describe('redactKeys', () => {
  it('replaces keys of the service and the gateway, and leaves code as it is', () => {
    const key = `key_${'Ab0-_'.repeat(9)}`;
    assert.equal(
      redactKeys(`OPENAI_API_KEY=${key}\nconst apiKey: string = key_name;`),
      'OPENAI_API_KEY=key_…\nconst apiKey: string = key_name;',
    );
    assert.equal(redactKeys('key_'.repeat(4_500_000)), 'key_…');
  });
});
