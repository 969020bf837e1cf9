import { defined } from '../../../formats/defined.ts';
import type { AnswerFigures } from '../protocol.ts';

/** What an answer took that came in two parts: all tokens and costs together, the times of the latest part. */
export function sumOfFigures(before: AnswerFigures | undefined, now: AnswerFigures): AnswerFigures {
  if (before === undefined) return now;
  return defined({
    ...now,
    inputTokens: sum(before.inputTokens, now.inputTokens),
    outputTokens: before.outputTokens + now.outputTokens,
    reasoningTokens: sum(before.reasoningTokens, now.reasoningTokens),
    cost: sum(before.cost, now.cost),
    firstTokenMs: before.firstTokenMs ?? now.firstTokenMs,
    estimated: before.estimated || now.estimated,
  });
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
