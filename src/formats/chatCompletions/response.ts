import { endedEarly, FormatError } from '../apiError.ts';
import type { AssistantPart, ChatResponse } from '../conversation.ts';
import { asDropped } from '../dropped.ts';
import { defined } from '../json.ts';
import { encodeLogProbs } from '../logProbs.ts';
import { checkAnswer } from '../tolerant.ts';
import { withUnlistedPrice } from '../usage.ts';
import type { AnswerContext } from '../wireFormat.ts';
import { AnnotationList } from './annotations.ts';
import { encodeAnswerId, UNKNOWN_ID } from './answerId.ts';
import { droppedFrom, imagesIn, sourcesIn, withTextDetails } from './answerText.ts';
import { decodeContent, encodeImage } from './content.ts';
import type { WireAnnotation, WireAnswer } from './contentSchema.ts';
import { decodeError } from './errors.ts';
import { decodeFinishReason, encodeFinishReason, isFailure } from './finishReason.ts';
import { decodeAnswerParts } from './messageDecoder.ts';
import { encodeAnswerRest } from './messageEncoder.ts';
import { type ChatCompletionsResponse, responseSchema } from './schema.ts';
import { encodeOlderCall } from './tools.ts';
import { decodeUsage, encodeUsage } from './usage.ts';

/**
 * Decodes an answer, using only the first of several choices.
 * @throws {FormatError} with the name of the invalid field, or with the message of an error that was sent as an answer.
 */
export function decodeResponse(body: unknown, unnamedId = UNKNOWN_ID): ChatResponse {
  const failure = decodeError(body);
  if (failure !== undefined) throw new FormatError(failure.message, 'error');
  const answer = checkAnswer(responseSchema, body);
  const { id, model, created, choices, usage } = answer;
  const choice = choices.find(({ index }) => index === 0) ?? choices[0];
  const word = choice.finish_reason;
  const reason = !word || word === 'null' ? 'stop' : word;
  if (isFailure(reason)) throw new FormatError(endedEarly(reason), 'choices.0.finish_reason');
  const { message, logprobs } = choice;
  const about = { annotations: message.annotations, logprobs };
  const drawn = decodeContent(message.content).filter((part) => part.type === 'image');
  const said = [...decodeAnswerParts(message, id || unnamedId), ...drawn, ...imagesIn(message.images)];
  const parts = withTextDetails(said, about, sourcesIn(answer));
  const hasToolCalls = parts.some(({ type }) => type === 'toolCall');
  return {
    id: id || unnamedId,
    model: model ?? '',
    ...defined({ createdAt: created ?? undefined }),
    parts,
    finishReason: decodeFinishReason(reason, hasToolCalls),
    ...defined({ usage: withUnlistedPrice(decodeUsage(usage), answer, usage) }),
    ...asDropped(droppedFrom(message, about)),
  };
}

export function encodeResponse(response: ChatResponse, { now, request }: AnswerContext): ChatCompletionsResponse {
  const { id, model, createdAt, parts, finishReason, usage } = response;
  const texts = parts.filter((part) => part.type === 'text');
  const content = texts.length > 0 ? texts.map(({ text }) => text).join('') : null;
  const logProbs = texts.flatMap((text) => text.logProbs ?? []);
  const annotations = annotationsOf(parts);
  const images = parts.filter((part) => part.type === 'image');
  return {
    id: encodeAnswerId(id),
    object: 'chat.completion',
    created: Math.floor(createdAt ?? now),
    model,
    system_fingerprint: null,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal: null,
          ...(annotations.length > 0 && { annotations }),
          ...(images.length > 0 && { images: images.map(encodeImage) }),
          ...(request.olderCalls ? encodeOlderRest(parts) : encodeAnswerRest(parts)),
        },
        logprobs: logProbs.length > 0 ? { content: encodeLogProbs(logProbs), refusal: null } : null,
        finish_reason: encodeFinishReason(finishReason, request.olderCalls),
      },
    ],
    ...(usage !== undefined && { usage: encodeUsage(usage) }),
  };
}

function encodeOlderRest(parts: readonly AssistantPart[]): Omit<WireAnswer, 'content'> {
  const call = parts.find((part) => part.type === 'toolCall');
  const rest = encodeAnswerRest(parts.filter(({ type }) => type !== 'toolCall'));
  return { ...rest, ...(call !== undefined && { function_call: encodeOlderCall(call) }) };
}

function annotationsOf(parts: readonly AssistantPart[]): WireAnnotation[] {
  const list = new AnnotationList();
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'text') continue;
    list.addText(index, part.text.length);
    for (const cited of part.citations ?? []) list.add(index, cited);
  }
  return list.wire();
}
