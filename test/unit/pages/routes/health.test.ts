import assert from 'node:assert/strict';
import type { HealthProblem } from '../../../../src/gateway/core/healthProblem.ts';
import { healthTexts } from '../../../../src/pages/routes/routeTargets.ts';

const KNOWN = {
  upstreams: [
    { id: 'local', models: ['qwen'] },
    { id: 'vendor', models: ['qwen', 'sonnet'] },
  ],
  aliases: { small: 'sonnet' },
};
const AT = new Date(2026, 10, 28, 14, 2, 5).getTime();

describe('the health of targets on the page of routes', () => {
  const textsOf = (...problems: readonly HealthProblem[]) =>
    healthTexts(['qwen', 'small', 'vendor/other', 'coding', ''], KNOWN, problems);

  it('concerns the models of the upstream, also by aliases and other names', () => {
    assert.deepEqual(textsOf({ upstream: 'vendor', reason: 'failing', since: AT }), {
      qwen: 'vendor: Failing since 14:02.',
      small: 'Failing since 14:02.',
      'vendor/other': 'Failing since 14:02.',
    });
  });

  it('concerns a single model if only that one is paused, and names each reason', () => {
    const ofSonnet = { upstream: 'vendor', model: 'sonnet', since: AT, until: AT } as const;
    const texts = (['rate', 'gone', 'credit', 'auth'] as const).map((reason) => textsOf({ ...ofSonnet, reason }));
    assert.deepEqual(texts, [
      { small: 'Paused until 14:02:05 after a rate limit.' },
      { small: 'Paused until 14:02:05: the model was not found.' },
      { small: 'Paused until 14:02:05: out of credit.' },
      { small: 'Paused until 14:02:05: the key was rejected.' },
    ]);
  });

  it('is not mentioned without problems', () => {
    assert.deepEqual(textsOf(), {});
    assert.deepEqual(textsOf({ upstream: 'removed', reason: 'failing', since: AT }), {});
  });
});
