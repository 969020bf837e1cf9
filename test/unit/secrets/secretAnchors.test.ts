import assert from 'node:assert/strict';
import { LINT_RULES } from '../../../src/secrets/lintRules.ts';
import { SecretAnchors } from '../../../src/secrets/secretAnchors.ts';
import { SECRET_PATTERNS } from '../../../src/secrets/secretPatterns.ts';

const LISTS = [
  ...LINT_RULES.map(({ anchors }) => anchors),
  ...SECRET_PATTERNS.map(([, anchors]) => anchors.split(' ')),
];

describe('the anchors of rules', () => {
  it('are found where they overlap, in any case if they are in lower case', () => {
    const anchors = new SecretAnchors([['key', 'sk-'], ['k-k'], ['SG.']]);
    assert.deepEqual([...anchors.in('a task-KEY in msg.text')].sort(), ['KEY', 'k-K', 'k-k', 'key', 'sg.', 'sk-']);
    assert.deepEqual([...anchors.in('SG.abc')], ['SG.', 'sg.']);
    assert.deepEqual([...anchors.in('nothing')], []);
  });

  it('are not the beginnings of others, which would hide them', () => {
    const all = [...new Set(LISTS.flat())].filter((each) => each !== '').map((each) => each.toLowerCase());
    for (const each of all) {
      assert.deepEqual(
        all.filter((other) => other !== each && other.startsWith(each)),
        [],
        each,
      );
    }
  });

  it('are known for each rule of secretlint, so that an update does not make every search slow', () => {
    assert.deepEqual(
      LINT_RULES.filter(({ anchors }) => anchors.length === 0).map(({ kind }) => kind),
      [],
    );
  });
});
