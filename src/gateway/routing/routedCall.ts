import type { ApiError } from '../../formats/apiError.ts';
import type { CallerRequest } from '../core/callerRequest.ts';
import { sendApiError } from '../core/gatewayAnswer.ts';
import type { ResponseStore } from '../core/responseStore.ts';
import type { AnswerSink, Routing, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import { translate } from '../translation/translation.ts';
import { Attempt, HeldAnswer } from './attempt.ts';
import type { Member } from './member.ts';

/** An upstream that offers the model, and what it calls it. */
export interface Candidate {
  readonly member: Member;
  readonly model: string;
}

interface Prepared {
  readonly request: UpstreamRequest;
  readonly routing: Routing;
  readonly sink: AnswerSink;
  /** The call as it is to be used from outside. */
  readonly attach: (call: UpstreamCall) => UpstreamCall;
}

/**
 * Asks one upstream after the other until one answers: before the first byte, on a failed connection, too many requests
 * or a failure of the upstream.
 */
export class RoutedCall implements UpstreamCall {
  readonly #caller: CallerRequest;
  readonly #sink: AnswerSink;
  readonly #store: ResponseStore;
  readonly #waiting: Candidate[];
  /** The answer or error to give when nobody does better, and whose it is. */
  #worst: { readonly failure: HeldAnswer | ApiError; readonly routing?: Routing } | undefined;
  #call: UpstreamCall | undefined;
  #attempts = 0;
  #paused = false;
  #over = false;

  constructor(caller: CallerRequest, candidates: readonly Candidate[], sink: AnswerSink, store: ResponseStore) {
    this.#caller = caller;
    this.#sink = sink;
    this.#store = store;
    this.#waiting = [...candidates];
    this.#next();
  }

  pause(): void {
    this.#paused = true;
    this.#call?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#call?.resume();
  }

  cancel(): void {
    this.#over = true;
    this.#call?.cancel();
  }

  closingEvent(error: ApiError): string | undefined {
    return this.#call?.closingEvent?.(error);
  }

  #next(): void {
    if (this.#over) return;
    const candidate = this.#waiting.shift();
    if (candidate === undefined) {
      this.#giveUp();
      return;
    }
    const prepared = this.#prepare(candidate);
    if ('kind' in prepared) this.#failed(prepared);
    else this.#ask(candidate.member, prepared);
  }

  #ask({ upstream, circuit }: Member, { request, routing, sink, attach }: Prepared): void {
    this.#attempts += 1;
    const nth = this.#attempts;
    this.#sink.routed?.(routing);
    const hasNext = this.#waiting.length > 0;
    const onFailed = (failure: HeldAnswer | ApiError) => this.#failed(failure, routing);
    const attempt = new Attempt({ sink, circuit, hasNext, onFailed });
    const isTranslated = sink !== this.#sink;
    const tapped = isTranslated ? (this.#sink.tap?.(request, attempt) ?? attempt) : attempt;
    const call = attach(upstream.send(request, tapped));
    // It may have failed at once, and another be under way.
    if (nth !== this.#attempts) return;
    this.#call = call;
    if (this.#paused) call.pause();
  }

  #prepare({ member, model }: Candidate): Prepared | ApiError {
    const { format, original } = this.#caller;
    const target = member.targetFor(format.name);
    const name = member.formatFor(format.name);
    const spoken = name === undefined ? { hasOwnForm: true as const } : { format: name };
    const routing: Routing = { upstream: member.id, model, ...spoken };
    if (target === undefined) {
      return {
        request: this.#caller.renamed(model),
        routing,
        sink: this.#sink,
        attach: (call) => call,
      };
    }
    const decoded = this.#caller.decoded();
    if ('kind' in decoded) return decoded;
    const translation = translate(original, decoded, target, model, this.#store);
    if ('kind' in translation) return translation;
    const answer = translation.createAnswer(this.#sink, member.upstream.mask);
    return {
      request: translation.request,
      routing: { ...routing, dropped: translation.dropped },
      sink: answer,
      attach: (call) => answer.attach(call),
    };
  }

  /** What an upstream said tells more than that one could not be reached. */
  #failed(failure: HeldAnswer | ApiError, routing?: Routing): void {
    const told = this.#worst?.failure instanceof HeldAnswer;
    if (!told) this.#worst = { failure, ...(routing !== undefined && { routing }) };
    this.#next();
  }

  #giveUp(): void {
    if (this.#worst === undefined) return;
    const { failure, routing } = this.#worst;
    if (routing !== undefined) this.#sink.routed?.(routing);
    if (failure instanceof HeldAnswer) failure.replay();
    else if (routing !== undefined) this.#sink.fail(failure);
    else sendApiError(this.#sink, this.#caller.format, failure);
  }
}
