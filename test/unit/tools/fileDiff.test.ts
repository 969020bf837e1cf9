import assert from 'node:assert/strict';
import { diffLines, maskedLine } from '../../../src/tools/fileDiff.ts';

const SECRET = 'c2VjcmV0LW9mLXNvbWVvbmU';

describe('the changes to a file', () => {
  it('have the line numbers of both texts, three lines of context, and a gap between them', () => {
    const before = Array.from({ length: 20 }, (_, place) => `line ${place + 1}`);
    const after = ['first', ...before.with(0, 'changed').slice(0, 15), 'late', ...before.slice(15)];
    const lines = diffLines(`${before.join('\n')}\n`, `${after.join('\n')}\n`);
    assert.deepEqual(lines.slice(0, 4), [
      { kind: 'removed', old: 1, text: 'line 1' },
      { kind: 'added', new: 1, text: 'first' },
      { kind: 'added', new: 2, text: 'changed' },
      { kind: 'same', old: 2, new: 3, text: 'line 2' },
    ]);
    assert.deepEqual(
      lines.map(({ kind }) => kind).filter((kind) => kind !== 'same'),
      ['removed', 'added', 'added', 'gap', 'added'],
    );
    assert.deepEqual(
      lines.find((line) => line.kind === 'added' && line.text === 'late'),
      { kind: 'added', new: 17, text: 'late' },
    );
  });

  it('to a new file are all additions, and a missing final line break is not a line', () => {
    assert.deepEqual(diffLines('', 'a\r\nb'), [
      { kind: 'added', new: 1, text: 'a' },
      { kind: 'added', new: 2, text: 'b' },
    ]);
  });

  it('show no key or password of other services', () => {
    const before = `{\n  "apiKey": "${SECRET}",\n  "model": "mine"\n}\n`;
    const lines = diffLines(before, before.replace('mine', 'other'));
    assert.ok(!JSON.stringify(lines).includes(SECRET));
    assert.ok(JSON.stringify(lines).includes('apiKey'));
  });

  for (const line of [
    `"apiKey": "${SECRET}",`,
    `openai-api-key: ${SECRET}`,
    `experimental_bearer_token = "${SECRET}"`,
    `"Authorization": "Bearer ${SECRET}"`,
    `GITHUB_TOKEN=${SECRET}`,
    `password = '${SECRET}'`,
    `"url": "https://me:${SECRET}@example.com/"`,
    `"PAT": "ghp_${'a1'.repeat(20)}"`,
  ]) {
    it(`mask ${line.slice(0, 24)}`, () => {
      const masked = maskedLine(line);
      assert.ok(masked.includes('••••••••'), masked);
      assert.ok(!masked.includes(SECRET) && !masked.includes('a1a1'), masked);
    });
  }

  for (const line of [
    '"max_tokens": 200000,',
    'model = "familya-sonnet-4.6"',
    '"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "200000"',
    '"ANTHROPIC_AUTH_TOKEN": "key_••••••••"',
    '"tokenSource": "manual"',
    'base_url = "http://127.0.0.1:8787/api/v1"',
  ]) {
    it(`leave ${line} unchanged`, () => assert.equal(maskedLine(line), line));
  }
});
