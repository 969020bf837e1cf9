/** A model that gives its task to helpers, which call a tool and report. */
import type { ChatEvent } from '../../src/formats/answer.ts';
import type { Model } from '../../src/service/modelCatalog.ts';
import { type ServedRequest, tokensOf } from './chatWindow.ts';

export const MAIN: Model = { id: 'main', inputPrice: 3, outputPrice: 15, contextWindow: 200_000, raw: {} };
export const CHEAP: Model = { id: 'cheap', inputPrice: 1, outputPrice: 5, contextWindow: 100_000, raw: {} };

export interface ScriptedHelper {
  readonly name: string;
  readonly task?: string;
  readonly role?: string;
  readonly model?: string;
  readonly budget_cents?: number;
}

export function* toolCall(id: string, name: string, args: object): Generator<ChatEvent> {
  yield { type: 'toolCallStart', index: 0, id, name };
  yield { type: 'toolCallDelta', index: 0, arguments: JSON.stringify(args) };
  yield { type: 'toolCallEnd', index: 0 };
}

/** The end of an answer, with what it has used: the request's tokens, times a factor, and these output tokens. */
export function* ended({ request }: ServedRequest, outputTokens: number, factor = 1): Generator<ChatEvent> {
  yield { type: 'finish', reason: 'stop' };
  yield { type: 'usage', usage: { inputTokens: Math.ceil(tokensOf(request) * factor), outputTokens } };
}

/** What the run answers: it calls helpers with its first answer, and then says what they have reported. */
export function* runWith(served: ServedRequest, helpers: readonly ScriptedHelper[]): Generator<ChatEvent> {
  if (answersIn(served) === 0) {
    yield* toolCall('call_0', 'run_helpers', {
      helpers: helpers.map((helper) => ({ task: `Task of ${helper.name}`, ...helper })),
    });
  } else yield { type: 'textDelta', index: 0, text: 'All is done.' };
  yield* ended(served, 20);
}

export function answersIn({ request }: ServedRequest): number {
  return request.messages.filter(({ role }) => role === 'assistant').length;
}

export function reportOf(served: ServedRequest, text: string, outputTokens = 20): ChatEvent[] {
  return [{ type: 'textDelta', index: 0, text }, ...ended(served, outputTokens)];
}
