import type { ChatEvent } from '../answer.ts';
import { type ApiError, CUT_ANSWER } from '../apiError.ts';
import { citedPage } from '../citation.ts';
import { CITATIONS, IMAGES } from '../dropped.ts';
import type { ServerSentEvent } from '../serverSentEvents.ts';
import type { Usage } from '../usage.ts';
import type { AnswerContext, StreamEncoder } from '../wireFormat.ts';
import { encodeErrorEvent, encodeFailure } from './errors.ts';
import type { ResponsesEvent } from './eventSchema.ts';
import { Output } from './output.ts';
import { answerHead, completedAt, encodeAnswerUsage, encodeFinishReason } from './response.ts';

type Of<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;

/**
 * Encodes a stream. The last event contains the usage and waits for it: if there is no output usage by `finish`, until
 * it arrives or the stream ends.
 */
export class ResponsesStreamEncoder implements StreamEncoder {
  readonly dropped = new Set<string>();
  readonly #context: AnswerContext;
  #answer: { readonly head: ReturnType<typeof answerHead>; readonly output: Output } | undefined;
  #usage: Usage | undefined;
  #finish: Of<'finish'> | undefined;
  #ended = false;
  #sequence = 0;

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  push(event: ChatEvent): ServerSentEvent[] {
    return this.#ended ? [] : this.#send(this.#encode(event));
  }

  end(): ServerSentEvent[] {
    if (this.#ended) return [];
    if (this.#finish !== undefined) return this.#send(this.#close(this.#finish));
    return this.#send(this.#fail(CUT_ANSWER));
  }

  #encode(event: ChatEvent): ResponsesEvent[] {
    switch (event.type) {
      case 'start':
        return this.#start(event);
      case 'usage':
        this.#usage = event.usage;
        return this.#finish === undefined ? [] : this.#close(this.#finish);
      case 'finish':
        return this.#finishItems(event);
      case 'error':
        return this.#fail(event.error);
      case 'malformed':
        return [];
      case 'citation':
        if (citedPage(event) === undefined) this.dropped.add(CITATIONS);
        return this.#finish === undefined ? (this.#answer?.output.push(event) ?? []) : [];
      case 'image':
        if (event.source.kind !== 'base64') this.dropped.add(IMAGES);
        return this.#finish === undefined ? (this.#answer?.output.push(event) ?? []) : [];
      default:
        return this.#finish === undefined ? (this.#answer?.output.push(event) ?? []) : [];
    }
  }

  #start(event: Of<'start'>): ResponsesEvent[] {
    if (this.#answer !== undefined) return [];
    const head = answerHead(event, this.#context);
    this.#answer = { head, output: new Output(head.id) };
    return [
      { type: 'response.created', response: head },
      { type: 'response.in_progress', response: head },
    ];
  }

  #finishItems(event: Of<'finish'>): ResponsesEvent[] {
    if (this.#answer === undefined) return this.#fail(nothingBegan());
    this.#finish = event;
    const { output } = this.#answer;
    const closing = output.close(encodeFinishReason(event.reason, output.hasRefusal).status);
    if (output.hasUncited) this.dropped.add(CITATIONS);
    const counted = this.#usage !== undefined && this.#usage.outputTokens > 0;
    return counted ? [...closing, ...this.#close(event)] : closing;
  }

  #close({ reason }: Of<'finish'>): ResponsesEvent[] {
    if (this.#answer === undefined) return this.#fail(nothingBegan());
    this.#ended = true;
    const { head, output } = this.#answer;
    const ending = encodeFinishReason(reason, output.hasRefusal);
    const response = {
      ...head,
      ...ending,
      completed_at: completedAt(ending, this.#context),
      output: output.wire(),
      usage: encodeAnswerUsage(this.#usage),
    };
    return [{ type: `response.${ending.status}`, response }];
  }

  /**
   * Sends an error, and then a failed answer if one has started, as services do. Many clients handle only one of them.
   */
  #fail(error: ApiError): ResponsesEvent[] {
    this.#ended = true;
    const bare = encodeErrorEvent(error);
    if (this.#answer === undefined) return [bare];
    const { head, output } = this.#answer;
    const closing = output.abandon();
    const state = { status: 'failed', error: encodeFailure(error), output: output.wire() };
    const response = { ...head, ...state, usage: encodeAnswerUsage(this.#usage) };
    return [...closing, bare, { type: 'response.failed', response }];
  }

  #send(events: readonly ResponsesEvent[]): ServerSentEvent[] {
    return events.map(({ type, ...members }) => {
      const data = JSON.stringify({ type, sequence_number: this.#sequence, ...members });
      this.#sequence += 1;
      return { event: type ?? 'error', data };
    });
  }
}

function nothingBegan(): ApiError {
  return { kind: 'malformed', message: 'The answer ended before it began.' };
}
