import assert from 'node:assert/strict';
import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';
import type { UpstreamRequest } from '../../../../src/gateway/core/upstream.ts';
import { Sampler } from '../../../../src/gateway/counting/sampler.ts';
import { TokenCounter } from '../../../../src/gateway/counting/tokenCounter.ts';

const MODEL = 'model';
const BODY = Buffer.from(
  JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'one two three '.repeat(100) }] }),
);
const REQUEST: UpstreamRequest = {
  endpoint: '/chat/completions',
  method: 'POST',
  subpath: '',
  query: '',
  headers: {},
  body: BODY,
  localKeyId: 'k',
  callerFormat: 'chat-completions',
};
const ENDED: ExchangeRecord = {
  id: 'e',
  at: 0,
  callerFormat: 'chat-completions',
  model: MODEL,
  upstream: 'u',
  durationMs: 1,
  bytesIn: 1,
  bytesOut: 1,
  usage: { inputTokens: 600, outputTokens: 1 },
  end: 'completed',
};

async function factorIn(counter: TokenCounter): Promise<number> {
  const counted = await counter.count({ upstream: 'u', model: MODEL, endpoint: '/chat/completions', body: BODY });
  assert.ok('factor' in counted);
  return counted.factor;
}

describe('samples of upstream token counts', () => {
  let counter: TokenCounter;
  beforeEach(() => {
    counter = new TokenCounter((problem) => assert.fail(problem));
  });
  afterEach(() => counter.close());
  const factor = () => factorIn(counter);

  it('are not taken while no client requests counts', async () => {
    const sampler = new Sampler(counter);
    sampler.offer('e', REQUEST);
    await sampler.finish(ENDED);
    assert.equal(counter.isAwake, false);
    assert.equal(await factor(), 1.1);
  });

  it('correct the factor of the model that answered, one at a time', async () => {
    await factor();
    const sampler = new Sampler(counter);
    sampler.offer('e', REQUEST);
    await sampler.finish(ENDED);
    const after = await factor();
    assert.ok(after > 1.2, String(after));
    sampler.offer('f', REQUEST);
    await sampler.finish({ ...ENDED, id: 'f' });
    assert.equal(await factor(), after);
  });
});

describe('samples of upstream token counts', () => {
  // Shared, because none of them teaches it anything, and its thread is slow to start.
  const counter = new TokenCounter((problem) => assert.fail(problem));
  after(() => counter.close());

  for (const [name, offered, ended] of [
    ['that were estimated', REQUEST, { ...ENDED, usageIsEstimated: true }],
    ['of exchanges without counted usage', REQUEST, { ...ENDED, usage: undefined }],
    ['of other exchanges', REQUEST, { ...ENDED, id: 'other' }],
    ['of short requests', { ...REQUEST, body: BODY.subarray(0, 500) }, ENDED],
    ['of very long requests', { ...REQUEST, body: Buffer.alloc(2_000_000) }, ENDED],
    ['of other endpoints', { ...REQUEST, endpoint: '/messages/count_tokens' }, ENDED],
  ] as const) {
    it(`are not taken ${name}`, async () => {
      await factorIn(counter);
      const sampler = new Sampler(counter);
      sampler.offer('e', offered);
      await sampler.finish(ended as ExchangeRecord);
      assert.equal(await factorIn(counter), 1.1);
    });
  }
});
