/** Handles chat requests in all three formats: decodes and checks them, generates the answer, and charges it. */

import type { ChatResponse } from '../../../formats/answer.ts';
import type { ChatRequest } from '../../../formats/conversation.ts';
import type { SandboxModel } from '../../../sandbox/catalog.ts';
import { type SandboxAnswer, usageOf } from '../../../sandbox/draft.ts';
import type { Course } from '../../../sandbox/faultNames.ts';
import { compose } from '../../../sandbox/model.ts';
import { RequestError } from '../../../sandbox/requestError.ts';
import { readTurn } from '../../../sandbox/turn.ts';
import { faultWord } from '../../../sandbox/words.ts';
import { estimateRequestTokens } from '../../../tokens/estimate.ts';
import { type Answer, streamSteps, wholeSteps } from './answer.ts';
import type { Step } from './delivery.ts';
import type { Memory, SandboxExchange } from './exchange.ts';
import { refusal, splitModelName } from './faults.ts';
import { modelNamed } from './models.ts';
import { checkRequest, readRequest } from './request.ts';

const ID_PREFIX = { 'chat-completions': 'chatcmpl-', messages: 'msg_', responses: 'resp_' } as const;

const SILENCE: SandboxAnswer = { parts: [], finishReason: 'stop' };

/** A chat request that has passed all checks. */
interface Accepted {
  /** As sent by the client. Formats repeat it in their answers. */
  readonly asked: ChatRequest;
  /** Including the conversation that it continues. */
  readonly whole: ChatRequest;
  readonly model: SandboxModel;
  readonly inputTokens: number;
  readonly course: Course | undefined;
}

/**
 * @param paceMs pause before each event of a stream.
 * @throws {RequestError} if the request is refused.
 */
export function generate(exchange: SandboxExchange, memory: Memory, paceMs: number): Generator<Step, void> {
  const accepted = accept(exchange, memory);
  const { asked, inputTokens } = accepted;
  const { format } = exchange;
  const context = { request: asked, now: Math.floor(memory.now() / 1000), inputTokens };
  const answer = answerTo(accepted, exchange, memory);
  return asked.stream === true
    ? streamSteps(answer, format.createStreamEncoder(context), paceMs)
    : wholeSteps(answer, format.encodeResponse(answer.response, context));
}

function accept(exchange: SandboxExchange, memory: Memory): Accepted {
  const { request, format, account } = exchange;
  const given = readRequest(format, exchange.readBody, exchange.request.headers);
  const { id, word } = splitModelName(given.model);
  const model = modelNamed(id);
  const course = exchange.fault(word ?? askedFault(given), id);
  if (course === 'error-event' && given.stream !== true) throw refusal('server-error');
  if (account.state === 'exhausted') throw usedUp();
  const asked = { ...given, model: id };
  const whole = memory.conversations.extend(asked, request.localKeyId);
  const inputTokens = estimateRequestTokens(whole);
  checkRequest(whole, model, inputTokens);
  return { asked, whole, model, inputTokens, course };
}

/** A fault that the user's question asks for, which is not sent again with the results of tools. */
function askedFault(request: ChatRequest): string | undefined {
  const { question, results } = readTurn(request);
  return results.length > 0 ? undefined : faultWord(question);
}

function answerTo(accepted: Accepted, exchange: SandboxExchange, memory: Memory): Answer {
  const { asked, whole, model, inputTokens, course } = accepted;
  const { format, request, account } = exchange;
  const { localKeyId } = request;
  const draft =
    course === 'empty' ? SILENCE : compose({ request: whole, model, inputTokens, format: format.name }, memory.ids);
  const cached = memory.cache.use({ request: whole, format: format.name, localKeyId, inputTokens }, memory.now());
  const usage = { ...usageOf(draft, inputTokens), ...cached };
  const id = memory.ids.next(ID_PREFIX[format.name]);
  const { isPrepared = false, ...content } = draft;
  const createdAt = Math.floor(memory.now() / 1000);
  const response: ChatResponse = { id, model: model.id, createdAt, ...content, usage };
  const settle: Answer['settle'] = (used, complete) => {
    account.charge(used, model.price);
    memory.limits.countTokens(localKeyId, used.inputTokens + used.outputTokens);
    if (!complete || format.name !== 'responses' || asked.store === false) return;
    memory.conversations.remember(id, localKeyId, whole, draft.parts, request.body?.length ?? 0);
  };
  return { response, isPrepared, usage, headers: exchange.headers(), course, settle };
}

function usedUp(): RequestError {
  const message =
    'The credit of this key is used up in the sandbox. In the editor, choose Start Again in the sandbox’s menu; elsewhere, restart the gateway.';
  return new RequestError({ kind: 'credit', status: 402, message });
}
