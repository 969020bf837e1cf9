import assert from 'node:assert/strict';
import { assignedValues, namedSecrets } from '../../../src/secrets/namedSecrets.ts';

const FILE = `
# a comment with KEY=not-a-value-of-this-file-1
export TOKEN=tok-12345-abcdef # the old one
QUOTED="with \\"quotes\\" and # no comment"
SINGLE='it costs $5 and \\n'
LINES="first 1
second 2"
ESCAPED="first 1\\nsecond 2"
  SPACED = spaced-value-1
EMPTY=
`;

describe('values that the user names', () => {
  it('are read from assignments as programs read them', () => {
    const values = assignedValues(FILE).map(({ value }) => value);
    for (const value of [
      'tok-12345-abcdef',
      'with "quotes" and # no comment',
      'it costs $5 and \\n',
      'first 1\nsecond 2',
      'spaced-value-1',
    ]) {
      assert.ok(values.includes(value), value);
    }
    assert.ok(!values.some((value) => value.includes('old one') || value.includes('not-a-value')));
  });

  it('are secrets unless they are short, words, numbers, or addresses of this machine', () => {
    const harmless = [
      'short-1',
      'production',
      'my-own-service',
      '1234567890',
      '10.0.0.1:8080',
      'http://localhost:3000/a',
    ];
    const secret = ['https://example.com/?t=1', 'correct horse 9', 'postgres://a:b1@localhost/x', 'Zx9#kkQ21'];
    assert.deepEqual(
      namedSecrets([...harmless, ...secret, secret[0] ?? ''].map((value) => ({ name: 'A', value }))).map(
        ({ value }) => value,
      ),
      secret,
    );
  });

  it('are secrets also if they are numbers, where the name says so', () => {
    const values = assignedValues(
      'DB_PASSWORD=4839201756\nSIM_PIN="1234-567-890"\nBUILD=2026112901\nSPIN=123456789\nPASS=1234',
    );
    assert.deepEqual(
      namedSecrets(values).map(({ value }) => value),
      ['4839201756', '1234-567-890'],
    );
  });
});
