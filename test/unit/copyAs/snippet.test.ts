import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { literal, PYTHON, TYPESCRIPT } from '../../../src/copyAs/literal.ts';
import { type SnippetLanguage, toSnippet } from '../../../src/copyAs/snippet.ts';
import type { SnippetRequest } from '../../../src/copyAs/snippetRequest.ts';
import type { JsonObject, JsonValue } from '../../../src/formats/json.ts';

const LANGUAGES: readonly SnippetLanguage[] = ['curl', 'typescript', 'python'];

function request(changes: Partial<SnippetRequest> = {}): SnippetRequest {
  const body = { model: 'familya-haiku-4.5', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
  return { baseAddress: 'https://example.com/api/v1', path: '/messages', body, ...changes };
}

describe('a request as a code snippet', () => {
  it('writes JSON as a TypeScript expression with the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme-composite' }), (value) => {
        const evaluated: unknown = runInNewContext(`JSON.stringify(${literal(value as JsonValue, TYPESCRIPT)})`);
        assert.equal(evaluated, JSON.stringify(value));
      }),
    );
  });

  it('keeps a property named __proto__', () => {
    const value = JSON.parse('{"__proto__": {"polluted": true}}') as JsonObject;
    const evaluated: unknown = runInNewContext(`JSON.stringify(${literal(value, TYPESCRIPT)})`);
    assert.equal(evaluated, JSON.stringify(value));
  });

  it('writes Python literals, and replaces a lone surrogate with a character that Python can send', () => {
    assert.equal(
      literal({ a: [true, null], b: '\ud800' }, PYTHON),
      '{\n    "a": [\n        True,\n        None,\n    ],\n    "b": "\ufffd",\n}',
    );
  });

  it('names the key variable in every language, and no credential from the recorded headers', () => {
    const headers = {
      authorization: 'Bearer key_canary',
      'x-api-key': 'key_canary',
      cookie: 'key_canary',
      'anthropic-beta': 'long-context',
    };
    for (const language of LANGUAGES) {
      for (const baseAddress of ['https://example.com/api/v1', 'https://example.com/other']) {
        const text = toSnippet(request({ baseAddress, headers }), language);
        assert.match(text, /MODEL_ACCESS_API_KEY/);
        assert.match(text, /long-context/);
        assert.doesNotMatch(text, /canary/);
      }
    }
  });

  it('contains no character that a terminal obeys or that changes the order of what is shown', () => {
    const hidden = '\u009b201~\u007f\u202e\u2066\u001b';
    const body = { ...request().body, [hidden]: hidden };
    for (const language of LANGUAGES) {
      for (const baseAddress of ['https://example.com/api/v1', 'https://example.com/other']) {
        const headers = { 'x-tool': `a\u009bb'` };
        const text = toSnippet(request({ baseAddress, body, headers }), language);
        assert.doesNotMatch(text, /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u, language);
        assert.match(text, /\\u009b201~\\u007f\\u202e\\u2066\\u001b/, language);
      }
    }
  });

  it('prints tool calls as well as text if the request offers tools', () => {
    const body = { ...request().body, tools: [{ name: 'lamp', input_schema: { type: 'object' } }] };
    assert.match(toSnippet(request({ body }), 'typescript'), /JSON\.stringify\(answer, null, 2\)/);
    assert.match(toSnippet(request({ body }), 'python'), /answer\.model_dump_json/);
  });

  it('names the version that accepts its body if the current SDKs’ own version would refuse it', () => {
    const sampled = { ...request().body, temperature: 0.5 };
    for (const language of LANGUAGES) assert.match(toSnippet(request({ body: sampled }), language), /2023-06-01/);
    for (const language of ['typescript', 'python'] as const) {
      assert.doesNotMatch(toSnippet(request(), language), /anthropic-version/);
      const counted = request({ path: '/messages/count_tokens', headers: { 'anthropic-version': '2026-10-21' } });
      assert.doesNotMatch(toSnippet(counted, language), /anthropic-version/);
    }
    const recorded = { 'anthropic-version': '2026-10-21' };
    assert.match(toSnippet(request({ headers: recorded }), 'curl'), /anthropic-version: 2026-10-21/);
  });

  it('sets a timeout with which the Messages SDKs accept a long answer without streaming', () => {
    const body = { ...request().body, max_tokens: 64_000 };
    assert.match(toSnippet(request({ body }), 'typescript'), /timeout: 3600 \* 1000/);
    assert.match(toSnippet(request({ body }), 'python'), /timeout=3600/);
    assert.doesNotMatch(toSnippet(request(), 'typescript'), /timeout/);
  });
});
