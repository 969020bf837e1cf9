import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { EstimateView } from '../../../../../src/pages/chat/protocol.ts';
import { breakdownRows, meterView } from '../../../../../src/panels/chat/meter/meter.ts';
import { chatState, LARGE, SMALL } from '../state.ts';

const ESTIMATE: EstimateView = {
  state: 'known',
  inputTokens: 12_830,
  estimated: true,
  parts: { tools: 2000, system: 1650, messages: 2580, answers: 4600, results: 2000 },
  historyTokens: 8400,
  attachmentTokens: 1830,
  messageTokens: 2600,
  expectedOutputTokens: 900,
  maxOutputTokens: 4096,
  inputCost: 0.03849,
  expectedCost: 0.05199,
  maxCost: 0.0999,
  balanceAfter: 12.3941,
};

describe('the token meter', () => {
  it('shows tokens, share, cost and the balance after the request', () => {
    const view = meterView(chatState({ estimate: ESTIMATE }));
    assert.equal(view.tokens, '≈\u200912.8k tokens');
    assert.equal(view.share, '6%');
    assert.equal(view.window, '200k');
    assert.equal(view.cost?.wide, '≈\u2009$0.052 with answer');
    assert.deepEqual(view.rest, { wide: '$12.39 left after', narrow: '$12.39 after', isSpare: true });
    assert.equal(view.spoken, 'About 12,800 tokens, 6 percent of the context window, about 5 cents with the answer');
  });

  it('does not mark a count from the service as an estimate', () => {
    const { estimated: _, ...exact } = ESTIMATE;
    const view = meterView(chatState({ estimate: exact }));
    assert.equal(view.tokens, '12.8k tokens');
    assert.match(view.spoken, /^12,800 tokens/);
  });

  it('shows only the input cost while no answer can be estimated', () => {
    const { expectedCost: _, expectedOutputTokens: __, ...estimate } = ESTIMATE;
    assert.equal(meterView(chatState({ estimate })).cost?.wide, '≈\u2009$0.038 + answer');
  });

  it('shows the first step and the cap before a run, and what runs like it have cost', () => {
    const estimate = { ...ESTIMATE, run: { cap: 1 } };
    const first = meterView(chatState({ estimate }));
    assert.deepEqual(first.cost, { wide: 'first step ≈\u2009$0.052', narrow: 'step ≈\u2009$0.052' });
    assert.deepEqual(first.rest, { wide: 'run up to $1.00', narrow: 'up to $1.00' });
    assert.match(first.spoken, /about 5 cents for the first step, at most 1 dollar for the run$/);
    const known = meterView(chatState({ estimate: { ...estimate, run: { cap: 1, typical: 0.124 } } }));
    assert.deepEqual(known.rest, { wide: 'run ≈\u2009$0.12, up to $1.00', narrow: 'run ≈\u2009$0.12' });
    assert.match(known.spoken, /about 12 cents for the run, at most 1 dollar for the run$/);
    const free = meterView(chatState({ estimate: { ...estimate, run: { cap: 0, typical: 0.124 } } }));
    assert.equal(free.rest?.wide, 'run ≈\u2009$0.12');
    assert.equal(meterView(chatState({ estimate: { ...estimate, run: { cap: 0 } } })).rest, undefined);
    for (const run of [{ cap: 0.05 }, { cap: 0.1, typical: 0.124 }]) {
      const { rest } = meterView(chatState({ estimate: { ...estimate, run } }));
      assert.equal(rest?.wide, `run asks at $${run.cap.toFixed(2)}`);
    }
  });

  it('shows the balance before a run that it may not be enough for', () => {
    const estimate = { ...ESTIMATE, run: { cap: 1 } };
    const view = meterView(chatState({ estimate, balance: { state: 'low', remaining: 0.5 } }));
    assert.deepEqual(view.rest, { wide: '$12.39 left after', narrow: '$12.39 after' });
  });

  it('shows the context window that is exceeded, and by how much', () => {
    const view = meterView(chatState({ model: SMALL.id, estimate: { state: 'known', inputTokens: 1250 } }));
    assert.equal(view.state, 'over');
    assert.equal(view.share, '125%');
    assert.equal(view.cost, undefined);
    assert.deepEqual(view.rest, { wide: 'Does not fit in 1k', narrow: 'Does not fit in 1k' });
    assert.ok(Math.abs(view.excess - 0.2) < 1e-9);
    assert.equal(view.percent, 100);
  });

  it('shows the remaining balance when the credit is used up', () => {
    const view = meterView(chatState({ estimate: ESTIMATE, balance: { state: 'exhausted', remaining: 0.004 } }));
    assert.equal(view.state, 'exhausted');
    assert.equal(view.rest?.wide, '$0.004 left');
    assert.match(view.spoken, /credit used up$/);
  });

  it('shows only tokens if the catalog has neither context window nor price', () => {
    const bare = { models: [{ id: LARGE.id, family: 'B' }], state: 'current' } as const;
    const estimate: EstimateView = { state: 'known', inputTokens: 1 };
    const view = meterView(chatState({ catalog: bare, estimate, balance: { state: 'unknown' } }));
    assert.equal(view.tokens, '1 token');
    assert.equal(view.share, undefined);
    assert.equal(view.cost, undefined);
    assert.equal(view.rest, undefined);
  });

  it('shows that there are no tokens, that they are being counted, and that prices are loading', () => {
    assert.equal(meterView(chatState()).tokens, 'No tokens yet');
    assert.equal(meterView(chatState({ estimate: { state: 'counting' } })).tokens, 'Counting');
    const loading = chatState({ catalog: { models: [], state: 'loading' } });
    assert.equal(meterView(loading).loadingPrices, true);
  });

  it('has bar segments that are never negative and never exceed the whole', () => {
    const tokens = fc.nat(500_000);
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, (inputTokens, system, messages, answers) => {
        const estimate: EstimateView = { state: 'known', inputTokens, parts: { system, messages, answers } };
        const { segments } = meterView(chatState({ estimate }));
        assert.ok(segments.every(({ share }) => share >= 0));
        assert.ok(segments.reduce((sum, { share }) => sum + share, 0) <= 1 + 1e-9);
      }),
    );
  });
});

describe('the token breakdown', () => {
  it('lists the parts with tokens and cost, and the answer as an estimate', () => {
    assert.deepEqual(breakdownRows(chatState({ estimate: { ...ESTIMATE, estimated: false } })), [
      { color: 'series-0', label: 'tool definitions', tokens: '2.0k', cost: '$0.0060' },
      { color: 'series-1', label: 'system prompt', tokens: '1.6k', cost: '$0.0050' },
      { color: 'series-3', label: 'messages', tokens: '2.6k', cost: '$0.0077' },
      { color: '', label: 'of these, attachments', tokens: '1.8k', cost: '$0.0055' },
      { color: 'series-2', label: 'answers and calls', tokens: '4.6k', cost: '$0.0138' },
      { color: 'series-4', label: 'results of tools', tokens: '2.0k', cost: '$0.0060' },
      { color: 'answer', label: 'Typical answer', tokens: '≈\u2009900', cost: '≈\u2009$0.0135' },
    ]);
  });

  it('divides exactly what was counted, however far the local estimates are from it', () => {
    const catalog = { models: [], state: 'current' } as const;
    const estimate: EstimateView = { state: 'known', inputTokens: 100, parts: { system: 3, messages: 3, answers: 3 } };
    const tokens = breakdownRows(chatState({ catalog, estimate })).map((row) => Number(row.tokens));
    assert.deepEqual(tokens, [33, 34, 33]);
  });

  it('omits empty parts and unknown costs', () => {
    const catalog = { models: [], state: 'current' } as const;
    const estimate: EstimateView = { state: 'known', inputTokens: 20, parts: { tools: 0, messages: 18 } };
    assert.deepEqual(breakdownRows(chatState({ catalog, estimate })), [
      { color: 'series-3', label: 'messages', tokens: '20' },
    ]);
  });

  it('is empty before anything is counted', () => assert.deepEqual(breakdownRows(chatState()), []));
});
