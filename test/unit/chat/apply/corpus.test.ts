import assert from 'node:assert/strict';
import { applied, type Case, corpus, outcomeOf } from '../../../fixtures/apply/corpus.ts';
import { runs } from '../../../support/randomRuns.ts';

/** The share of cases that must be exactly right. The others ask. */
const MIN_RIGHT = 0.98;

describe('answers in many languages, shapes, and forms', () => {
  const cases = corpus(2000);

  const named = (all: readonly Case[]) =>
    all.map(({ seed, language, change, form }) => `${seed} ${language}: ${change}, ${form}`);

  it('are applied as they are meant, or ask, and no line is lost', () => {
    const byOutcome = Object.groupBy(cases, outcomeOf);
    assert.deepEqual(named(byOutcome.lost ?? []), []);
    assert.deepEqual(named(byOutcome.wrong ?? []), []);
    assert.ok((byOutcome.right?.length ?? 0) >= MIN_RIGHT * cases.length, named(byOutcome.asks ?? []).join('\n'));
  });

  it('lose no line with other seeds', () => {
    const first = 1_000_000 + Math.floor(Math.random() * 1_000_000_000);
    const lost = corpus(runs(300), first).filter((one) => outcomeOf(one) === 'lost');
    assert.deepEqual(named(lost), []);
  });

  it('change nothing if they are applied again', () => {
    for (const one of cases.filter(({ form }) => form === 'whole file' || form === 'unified diff').slice(0, 200)) {
      const result = applied(one);
      if (result !== undefined) assert.equal(applied({ ...one, before: result }) ?? result, result, named([one])[0]);
    }
  });
});
