import type { AnswerCitation, AnswerDelta, AnswerTurn, ToolCallView } from '../protocol.ts';

/** The answer with what has come of it. */
export function grown(answer: AnswerTurn, delta: AnswerDelta): AnswerTurn {
  const { text = '', reasoning = '', refusal, toolCall, citation } = delta;
  return {
    ...answer,
    status: 'streaming',
    text: answer.text + text,
    reasoning: answer.reasoning + reasoning,
    ...(refusal !== undefined && { refusal: (answer.refusal ?? '') + refusal }),
    ...(toolCall !== undefined && { toolCalls: withCall(answer.toolCalls ?? [], toolCall) }),
    ...(citation !== undefined && { citations: withCitation(answer.citations ?? [], citation) }),
  };
}

function withCall(calls: readonly ToolCallView[], call: ToolCallView): readonly ToolCallView[] {
  const place = calls.findIndex(({ id }) => id === call.id);
  return place === -1 ? [...calls, call] : calls.with(place, call);
}

function withCitation(citations: readonly AnswerCitation[], citation: AnswerCitation): readonly AnswerCitation[] {
  return citations.some((known) => isSameCitation(known, citation)) ? citations : [...citations, citation];
}

function isSameCitation(a: AnswerCitation, b: AnswerCitation): boolean {
  return (
    a.url === b.url &&
    a.title === b.title &&
    a.quote === b.quote &&
    a.span?.start === b.span?.start &&
    a.span?.end === b.span?.end
  );
}
