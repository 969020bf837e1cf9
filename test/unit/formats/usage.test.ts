import assert from 'node:assert/strict';
import { decodeUsage as chatCompletionsUsage } from '../../../src/formats/chatCompletions/usage.ts';
import { mergeUsage, decodeUsage as messagesUsage } from '../../../src/formats/messages/usage.ts';
import { decodeUsage as responsesUsage } from '../../../src/formats/responses/usage.ts';
import { reportedCost, validUsage } from '../../../src/formats/usage.ts';

describe('the amount that a service reports to have charged', () => {
  it('is read in each form that services document', () => {
    for (const [usage, dollars] of [
      [{ cost: 0.0042 }, 0.0042],
      [{ cost: 0 }, 0],
      [{ cost: 0.0042, is_byok: false, cost_details: { upstream_inference_cost: 0.0042 } }, 0.0042],
      [{ cost: 0.0002, is_byok: true, cost_details: { upstream_inference_cost: 0.004 } }, 0.0042],
      [{ cost: 0, is_byok: true, cost_details: { upstream_inference_cost: 0.004 } }, 0.004],
      [{ cost: 0.0002, cost_details: { upstream_inference_cost: 0.004 } }, 0.0042],
      [{ cost: 0.0042, cost_details: { upstream_inference_cost: null } }, 0.0042],
      [{ cost: { input_cost: 0.001, output_cost: 0.002, total_cost: 0.003, currency: 'USD' } }, 0.003],
      [{ cost: { total_cost: 0.003 } }, 0.003],
      [{ cost_in_usd_ticks: 37_756_000 }, 0.003_775_6],
    ] as const) {
      assert.equal(reportedCost(usage), dollars, JSON.stringify(usage));
    }
  });

  it('is ignored unless it is a plausible number of dollars', () => {
    for (const usage of [
      {},
      { cost: null },
      { cost: -0.01 },
      { cost: Number.NaN },
      { cost: Number.POSITIVE_INFINITY },
      { cost: 1e12 },
      { cost: '0.0042' },
      { cost: { total_cost: 0.003, currency: 'EUR' } },
      { cost_in_usd_ticks: -1 },
      { cost_in_usd_ticks: '37756000' },
      { cost_details: { upstream_inference_cost: 0.004 } },
    ]) {
      assert.equal(reportedCost(usage), undefined, JSON.stringify(usage));
    }
    assert.deepEqual(validUsage({ inputTokens: 1, outputTokens: 1, reportedCost: -1 }), {
      inputTokens: 1,
      outputTokens: 1,
    });
  });

  it('is part of the usage in each format', () => {
    assert.equal(chatCompletionsUsage({ prompt_tokens: 1, completion_tokens: 1, cost: 0.5 })?.reportedCost, 0.5);
    assert.equal(messagesUsage({ input_tokens: 1, output_tokens: 1, cost: 0.5 })?.reportedCost, 0.5);
    assert.equal(responsesUsage({ input_tokens: 1, output_tokens: 1, cost: 0.5 })?.reportedCost, 0.5);
  });

  it('of a start of a message does not cover the answer', () => {
    const start = mergeUsage({}, { input_tokens: 1, output_tokens: 1, cost: 0 });
    assert.equal(messagesUsage(mergeUsage(start, { output_tokens: 9 }))?.reportedCost, undefined);
    assert.equal(messagesUsage(mergeUsage(start, { output_tokens: 9, cost: 0.5 }))?.reportedCost, 0.5);
  });
});

describe('cache writes in the usage of chat completions', () => {
  const counts = { prompt_tokens: 1000, completion_tokens: 10 };
  const lifetimes = { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 100 };

  for (const [place, usage, long] of [
    ['beside the counts', { cache_creation_input_tokens: 400, cache_creation: lifetimes }, 100],
    ['in the details', { prompt_tokens_details: { cache_creation_input_tokens: 400 } }, undefined],
    [
      'in the details, by lifetimes',
      { prompt_tokens_details: { cache_creation_input_tokens: 400, cache_creation: lifetimes } },
      100,
    ],
    ['in the details, by lifetimes alone', { prompt_tokens_details: { cache_creation: lifetimes } }, 100],
    ['under another name', { cache_creation_token_details: lifetimes }, 100],
    ['under another name in the details', { prompt_tokens_details: { cache_creation_token_details: lifetimes } }, 100],
  ] as const) {
    it(`are read ${place}`, () => {
      const read = chatCompletionsUsage({ ...counts, ...usage });
      assert.deepEqual([read?.inputTokens, read?.cacheWriteTokens, read?.longCacheWriteTokens], [1000, 400, long]);
    });
  }
});
