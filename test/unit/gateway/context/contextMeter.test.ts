import assert from 'node:assert/strict';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Usage } from '../../../../src/formats/usage.ts';
import { ContextMeter, type MeasureQuestion } from '../../../../src/gateway/context/contextMeter.ts';
import { Tokenizer } from '../../../../src/gateway/counting/tokenizer.ts';
import { billedContext } from '../../../../src/ledger/contextCost.ts';
import { costInBillionths } from '../../../../src/ledger/cost.ts';
import type { BilledPart, MeasuredContext } from '../../../../src/rules/contextPart.ts';
import { familyOf } from '../../../../src/tokens/modelFamily.ts';
import { type ClientShape, ContextScript, SHAPES } from '../../../support/contextScripts.ts';
import type { KnownPiece } from '../../../support/contextSession.ts';

const tokenizer = new Tokenizer();
const newMeter = () => new ContextMeter((text) => tokenizer.count(text));
const PRICES = { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3, cacheWritePrice: 3.75 };

/** What services add to each call and result. */
const FRAMING: Readonly<Record<string, number>> = { calls: 8, results: 8 };
/** Smaller parts consist mostly of what frames them. */
const MIN_TOKENS = 300;

function measured(
  meter: ContextMeter,
  { session, shape }: ContextScript,
  ids: Pick<MeasureQuestion, 'id' | 'unbilled'> = {},
): MeasuredContext {
  const context = meter.measure({ model: shape.model, lane: shape.client, body: session.request(), ...ids });
  assert.ok(context);
  return context;
}

function totalOf({ order }: MeasuredContext): number {
  return order.filter((_, index) => index % 2 === 1).reduce((sum, tokens) => sum + tokens, 0);
}

/** What an upstream would report: most of the input is read from the cache, and some is written to it. */
function usageOf(context: MeasuredContext, step: number): Usage {
  const inputTokens = Math.round(totalOf(context) * (1.07 + (step % 5) / 50)) + (step % 3);
  const cachedInputTokens = step === 0 ? 0 : Math.floor(inputTokens * 0.83);
  return { inputTokens, outputTokens: 0, cachedInputTokens, cacheWriteTokens: Math.floor(inputTokens * 0.1) };
}

function groupOf({ kind, name, server }: BilledPart | KnownPiece): string {
  return kind === 'tools' || kind === 'calls' || kind === 'results' ? `${kind} ${server ?? ''} ${name}` : kind;
}

function sums<Item extends BilledPart | KnownPiece>(items: readonly Item[], tokens: (item: Item) => number) {
  const groups = Map.groupBy(items, groupOf);
  return new Map([...groups].map(([name, all]) => [name, all.reduce((sum, item) => sum + tokens(item), 0)]));
}

/** Checks each part against the public tokenizer, whose sums are scaled to the same total. */
function checkParts(parts: readonly BilledPart[], pieces: readonly KnownPiece[], shape: ClientShape): void {
  const own = sums(parts, ({ tokens }) => tokens);
  const known = sums(
    pieces,
    ({ kind, text, isFirst = false }) => countTokens(text) + (FRAMING[kind] ?? 0) + (isFirst ? 4 : 0),
  );
  const total = (all: ReadonlyMap<string, number>) => [...all.values()].reduce((sum, tokens) => sum + tokens, 0);
  const scale = total(own) / total(known);
  const bound = familyOf(shape.model).isPublic ? 0.05 : 0.15;
  for (const [name, tokens] of known) {
    if (tokens < MIN_TOKENS || name.startsWith('tools')) continue;
    const deviation = Math.abs((own.get(name) ?? 0) / (tokens * scale) - 1);
    assert.ok(deviation <= bound, `${shape.client}: ${name} deviates by ${deviation.toFixed(3)}`);
  }
}

describe('the measure of a context', () => {
  for (const [seed, shape] of SHAPES.entries()) {
    it(`divides every request of ${shape.client} exactly, and each part within its bound`, () => {
      const script = new ContextScript(shape, seed + 1);
      const meter = newMeter();
      script.session.ask('Rename the field and fix what breaks.');
      for (let step = 0; step < 60; step++) {
        const context = measured(meter, script);
        const usage = usageOf(context, step);
        const { parts } = billedContext(context, usage, PRICES);
        assert.equal(
          parts.reduce((sum, { tokens }) => sum + tokens, 0),
          usage.inputTokens,
        );
        assert.equal(
          parts.reduce((sum, { cost = 0 }) => sum + cost, 0),
          costInBillionths(usage, PRICES),
        );
        assert.ok(parts.every(({ tokens, cost = 0 }) => tokens >= 0 && cost >= 0));
        if (step % 10 === 9) checkParts(parts, script.session.pieces, shape);
        script.work();
      }
    });

    it(`reads only what is new of ${shape.client}, with the same result as reading everything`, () => {
      const script = new ContextScript(shape, seed + 11);
      let counted = 0;
      const meter = new ContextMeter((text) => {
        counted += text.length;
        return tokenizer.count(text);
      });
      script.session.ask('Find the slow query.');
      for (let step = 0; step < 30; step++) {
        counted = 0;
        const context = measured(meter, script);
        const again = measured(newMeter(), script);
        assert.deepEqual(namesOf(context), namesOf(again));
        const [own, cold] = [totalOf(context), totalOf(again)];
        assert.ok(Math.abs(own / cold - 1) < 0.01, `${own} and ${cold} tokens`);
        if (step > 2) assert.ok(counted < 12_000, `Read ${counted} characters again.`);
        script.work();
      }
    });

    it(`counts each call of ${shape.client} once, also if a request is sent again`, () => {
      const script = new ContextScript(shape, seed + 21);
      const meter = newMeter();
      const count = () =>
        measured(meter, script).parts.reduce((sum, { name, calls = 0 }) => sum + (name === 'Read' ? calls : 0), 0);
      script.session.ask('Explain the tests.');
      assert.equal(count(), 0);
      let calls = 0;
      for (let step = 0; step < 10; step++) {
        script.session.step([script.read(), script.read()]);
        calls += count();
        assert.equal(count(), 0);
      }
      assert.equal(calls, 20);
    });

    it(`counts the calls of ${shape.client} that only requests without a bill had, once`, () => {
      const script = new ContextScript(shape, seed + 31);
      const meter = newMeter();
      const count = (id: string, ...unbilled: string[]) =>
        measured(meter, script, { id, unbilled }).parts.reduce((sum, { calls = 0 }) => sum + calls, 0);
      script.session.ask('Explain the tests.');
      for (let step = 0; step < 10; step++) {
        script.session.step([script.read(), script.read()]);
        assert.equal(count('first'), 2);
        if (step % 3 === 1) script.session.step([script.read()]);
        const calls = step % 3 === 1 ? 3 : 2;
        assert.equal(count('second', 'first'), calls);
        assert.equal(count('third', 'another', 'second'), calls);
        assert.equal(count('fourth'), 0);
      }
    });
  }
});

function namesOf({ parts }: MeasuredContext) {
  return parts.map(({ calls: _, ...part }) => part);
}
