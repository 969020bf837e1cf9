import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CallUsage } from '../../../src/calls/callUsage.ts';
import type { ChatEvent } from '../../../src/formats/answer.ts';
import type { RoutedFacts } from '../../../src/ledger/routedFacts.ts';
import type { Prices } from '../../../src/service/modelPrices.ts';
import { estimateTokens } from '../../../src/tokens/estimate.ts';
import { TextMeter } from '../../../src/tokens/textEstimate.ts';

const FINISH: ChatEvent = { type: 'finish', reason: 'stop' };
const text = (words: string): ChatEvent => ({ type: 'textDelta', index: 0, text: words });
const usage = (outputTokens: number): ChatEvent => ({ type: 'usage', usage: { inputTokens: 40, outputTokens } });

function counted(...events: readonly ChatEvent[]) {
  const measured = new CallUsage(() => 12);
  measured.send();
  for (const event of events) measured.see(event);
  return measured.count;
}

describe('the usage of a call', () => {
  it('is what the service reported for the whole answer', () => {
    const expected = { usage: { inputTokens: 40, outputTokens: 9 }, isEstimated: false };
    assert.deepEqual(counted(usage(1), text('Good day.'), usage(9), FINISH), expected);
  });

  it('is never the count from the start of a message', () => {
    const words = 'The tide comes in twice a day, and twice a day it goes out again.';
    const { usage: used, isEstimated } = counted(usage(1), text(words)) ?? {};
    assert.deepEqual([used?.inputTokens, used?.outputTokens, isEstimated], [40, estimateTokens(words), true]);
  });

  it('is at least the reported count if that exceeds the visible text', () => {
    assert.deepEqual(counted(text('Hm.'), usage(800)), {
      usage: { inputTokens: 40, outputTokens: 800 },
      isEstimated: true,
    });
  });

  it('is an estimate if the answer ends without reported usage', () => {
    assert.deepEqual(counted(text('Good day.'), FINISH)?.isEstimated, true);
    assert.deepEqual(counted(usage(1), text('Good day.'), FINISH)?.isEstimated, true);
    assert.equal(counted(text('Good day.'), FINISH)?.usage.inputTokens, 12);
  });

  it('is an estimate if the service reported counts that cannot be, or none of the input or the output', () => {
    const words = 'The tide comes in twice a day.';
    for (const [inputTokens, outputTokens] of [
      [-5, 9],
      [40, -9],
      [40.5, 9],
      [Number.NaN, 9],
      [1e300, 9],
      [0, 9],
      [40, 0],
    ] as const) {
      const reported: ChatEvent = { type: 'usage', usage: { inputTokens, outputTokens } };
      const count = counted(text(words), reported, FINISH);
      assert.equal(count?.isEstimated, true, `${inputTokens} ${outputTokens}`);
      assert.ok([12, 40].includes(count.usage.inputTokens) && count.usage.outputTokens > 2);
    }
  });

  it('is an estimate if the service reported usage before the end of the answer', () => {
    const early: ChatEvent = { type: 'usage', usage: { inputTokens: 40, outputTokens: 1 }, isPartial: true };
    assert.equal(counted(early, FINISH)?.isEstimated, true);
    assert.equal(counted(text('Good day.'), FINISH, early)?.isEstimated, true);
  });

  it('counts reasoning, refusals and tool call arguments', () => {
    const events: ChatEvent[] = [
      { type: 'reasoningDelta', index: 0, text: 'The question is short.' },
      { type: 'refusalDelta', index: 1, text: 'I would rather not.' },
      { type: 'toolCallDelta', index: 2, arguments: '{"place":"Bremen"}' },
    ];
    const parts = events.map((event) => counted(event)?.usage.outputTokens ?? 0);
    assert.ok(parts.every((tokens) => tokens > 2));
    assert.ok((counted(...events)?.usage.outputTokens ?? 0) > Math.max(...parts));
  });

  it('is the report of a failed answer that covers all of it', () => {
    const usage = { inputTokens: 20, outputTokens: 9 };
    const measured = new CallUsage(() => 12);
    measured.send();
    measured.see({ type: 'textDelta', index: 0, text: 'Low tide.' });
    measured.see({ type: 'usage', usage, isPartial: false });
    measured.see({ type: 'error', error: { kind: 'server', message: 'It broke.' } });
    assert.deepEqual(measured.count, { usage, isEstimated: false });
  });

  it('costs what failed attempts of a route were billed, also before its end', () => {
    const measured = new CallUsage(() => 1000);
    const attempts = [{ cost: 0.02 }, {}, { cost: 0.03 }] as const;
    const facts = { answeredBy: 'm', entry: { attempts, prices: { inputPrice: 10 } }, isFinal: false };
    measured.routed = facts as unknown as RoutedFacts;
    assert.equal(measured.costAt({ inputPrice: 10, outputPrice: 10 } as Prices), 0.05);
    measured.send();
    assert.equal(Number(measured.costAt({ inputPrice: 10, outputPrice: 10 } as Prices)?.toFixed(6)), 0.06);
  });

  it('is undefined before the request is sent, and once it is known not to be billed', () => {
    const measured = new CallUsage(() => 12);
    const inputTokens = () => measured.count?.usage.inputTokens;
    assert.equal(inputTokens(), undefined);
    measured.send();
    assert.equal(inputTokens(), 12);
    measured.waive();
    assert.equal(inputTokens(), undefined);
  });
});

describe('tokens of a chunked text', () => {
  it('are close to those of the whole text, however it is split', () => {
    const words = fc.array(fc.constantFrom('tide', ' ', 'water ', '\n', 'ebb, ', '42 ', 'größer ', '潮'), {
      minLength: 200,
    });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 700 }), (parts, length) => {
        const whole = parts.join('');
        const meter = new TextMeter();
        for (let at = 0; at < whole.length; at += length) meter.add(whole.slice(at, at + length));
        const exact = estimateTokens(whole);
        assert.ok(Math.abs(meter.tokens - exact) <= 2 + exact * 0.03, `${meter.tokens} of ${exact}`);
      }),
    );
  });

  it('are counted in linear time, even without spaces', () => {
    const meter = new TextMeter();
    for (let i = 0; i < 10_000; i += 1) meter.add('A1b2');
    assert.ok(meter.tokens > 10_000);
  });
});
