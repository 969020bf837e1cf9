import { defined } from '../../../formats/json.ts';
import type { AnswerFigures } from '../protocol.ts';

/**
 * The figures of an answer that was generated in two parts: the sum of tokens and costs, and the times of the later
 * part.
 */
export function sumOfFigures(before: AnswerFigures | undefined, now: AnswerFigures): AnswerFigures {
  if (before === undefined) return now;
  return defined({
    ...now,
    inputTokens: sum(before.inputTokens, now.inputTokens),
    outputTokens: before.outputTokens + now.outputTokens,
    cachedTokens: sum(before.cachedTokens, now.cachedTokens),
    reasoningTokens: sum(before.reasoningTokens, now.reasoningTokens),
    cost: sum(before.cost, now.cost),
    firstTokenMs: before.firstTokenMs ?? now.firstTokenMs,
    estimated: before.estimated || now.estimated,
  });
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
