import assert from 'node:assert/strict';
import { wireFormats } from '../../../../../src/formats/index.ts';
import { streamSteps } from '../../../../../src/gateway/upstreams/sandbox/answer.ts';
import type { Step } from '../../../../../src/gateway/upstreams/sandbox/delivery.ts';

const READERS = 100;
/** All events of one of these answers take two megabytes. */
const MAX_MEGABYTES_TOGETHER = 50;

const USAGE = { inputTokens: 1, outputTokens: 20_000 };
const TEXT = 'word '.repeat(20_000);

/** Starts an answer of 20,000 words, and reads its first three events. */
function begun(): { readonly steps: Generator<Step, void>; readonly text: string } {
  const response = {
    ...({ id: 'a', model: 'm', finishReason: 'stop', usage: USAGE } as const),
    parts: [{ type: 'text', text: TEXT } as const],
  };
  const answer = { response, isPrepared: false, usage: USAGE, headers: {}, course: undefined, settle: () => undefined };
  const context = { request: { model: 'm', system: [], messages: [] }, now: 0 };
  const steps = streamSteps(answer, wireFormats.messages.createStreamEncoder(context), 0);
  const first = Array.from({ length: 4 }, () => steps.next().value);
  return { steps, text: JSON.stringify(first) };
}

describe('answers of the sandbox that are read slowly', () => {
  it('are made as they are read, so that many of them take little memory', () => {
    const before = process.memoryUsage().heapUsed;
    const answers = Array.from({ length: READERS }, begun);
    const megabytes = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
    for (const { steps, text } of answers) {
      assert.match(text, /text_delta/);
      steps.return();
    }
    assert.ok(megabytes < MAX_MEGABYTES_TOGETHER, `${megabytes.toFixed(0)} MB`);
  });
});
