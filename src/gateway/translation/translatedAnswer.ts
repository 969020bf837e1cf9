import type { OutgoingHttpHeaders } from 'node:http';
import { errorText } from '../../display/errors.ts';
import type { ChatResponse } from '../../formats/answer.ts';
import { type ApiError, FormatError, malformed } from '../../formats/apiError.ts';
import type { ChatRequest, Message } from '../../formats/conversation.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { RequestMemory } from '../core/heldMemory.ts';
import type { KeyMask } from '../core/keyMask.ts';
import type { AnswerSink, UpstreamCall } from '../core/upstream.ts';
import { isPlain } from '../http/contentEncoding.ts';
import { encodingOf, isEventStream } from '../http/headers.ts';
import { AnswerRestorer, type Author } from './answerRestorer.ts';
import { AnswerSender } from './answerSender.ts';
import { DecompressedStream } from './decompressedStream.ts';
import { StopSequences } from './stopSequences.ts';
import type { ToolNames } from './toolPlan.ts';
import { TranslatedBody } from './translatedBody.ts';
import { TranslatedStream } from './translatedStream.ts';
import { TranslationContext, withoutKey } from './wholeAnswer.ts';

export interface TranslationOptions {
  readonly upstream: WireFormat;
  readonly caller: WireFormat;
  /** The caller's request, before it was planned for the upstream. Answers repeat some of its members. */
  readonly request: ChatRequest;
  /** The conversation before the answer, including the messages of the response that the request continues. */
  readonly messages: readonly Message[];
  readonly names: ToolNames;
  readonly author: Author;
  /** Sequences at which the answer ends, if they were not sent to the upstream. */
  readonly stopSequences: readonly string[];
  /** Names of the request's parts that were not sent to the upstream. */
  readonly dropped: readonly string[];
  /** Length of the texts of which `request` has only references. Default: 0. */
  readonly textBytes?: number | undefined;
  readonly mask?: KeyMask | undefined;
  /** Counts what is held of the answer. */
  readonly memory?: RequestMemory | undefined;
  /** Called with the complete answer, as sent to the caller, if it is to be stored. */
  readonly onResponse?: ((response: ChatResponse) => void) | undefined;
}

/** How long to wait for the usage after the last output, and for the upstream's end after the answer is complete. */
const END_WAIT_MS = 1_000;

/** Less is not worth counting after each event. */
const COUNTED_BYTES = 4 * 1024;

export class TranslatedAnswer implements AnswerSink {
  readonly #options: TranslationOptions;
  readonly #sink: AnswerSink;
  readonly #sender: AnswerSender;
  readonly #restorer: AnswerRestorer;
  readonly #context: TranslationContext;
  #call: UpstreamCall | undefined;
  #encoding = '';
  #body: TranslatedBody | undefined;
  #stream: TranslatedStream | undefined;
  /** Undefined for a stream that is not compressed. */
  #decompressed: DecompressedStream | undefined;
  /** The size of the stream for which room was taken. */
  #counted = 0;
  #isPaused = false;
  #endTimer: NodeJS.Timeout | undefined;
  #endCheck: NodeJS.Immediate | undefined;
  #over = false;
  #upstreamEnded = false;

  constructor(options: TranslationOptions, sink: AnswerSink) {
    const { upstream, caller, request, messages, names, author, stopSequences, dropped } = options;
    this.#options = options;
    this.#sink = sink;
    const stops = stopSequences.length > 0 ? new StopSequences(stopSequences) : undefined;
    this.#restorer = new AnswerRestorer(names, { model: request.model, messages }, stops, author);
    this.#context = new TranslationContext(request, options.textBytes);
    this.#sender = new AnswerSender({ upstream, caller, dropped, context: this.#context }, sink);
  }

  /** Returns the call for the caller, for a call whose sink is this answer. */
  attach(call: UpstreamCall): UpstreamCall {
    this.#call = call;
    if (this.#over) this.#letUpstreamEnd();
    return {
      pause: () => {
        this.#isPaused = true;
        call.pause();
      },
      resume: () => {
        this.#isPaused = false;
        if (!this.#decompressed?.isWaiting) call.resume();
      },
      cancel: () => {
        this.#sender.drop(this.#stream?.dropped ?? []);
        this.#finish();
        this.#stopWaiting();
        call.cancel();
      },
      closingEvent: (error) => this.#stream?.fail(error),
    };
  }

  dropped(names: readonly string[]): void {
    this.#sender.drop(names);
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    this.#encoding = encodingOf(headers);
    this.#sender.upstreamHeaders = headers;
    if (status < 400 && isEventStream(headers)) this.#startStream();
    else {
      const options = { ...this.#options, status, encoding: this.#encoding };
      this.#body = new TranslatedBody(options, this.#sender, this.#restorer, this.#context);
    }
  }

  data(chunk: Buffer): boolean {
    if (this.#over) return true;
    try {
      if (this.#body !== undefined) return this.#collect(chunk, this.#body);
      if (this.#decompressed === undefined) return this.#pass(chunk);
      this.#decompressed.write(chunk);
      return true;
    } catch (thrown) {
      return this.#broken(thrown);
    }
  }

  end(): void {
    this.#upstreamEnded = true;
    this.#stopWaiting();
    if (this.#over) return;
    try {
      if (this.#body !== undefined) {
        const send = this.#body.end(this.#sink);
        if (typeof send === 'function') {
          this.#finish();
          send();
        } else this.#abandon(send);
      } else if (this.#decompressed !== undefined) this.#decompressed.end();
      else this.#endStream();
    } catch (thrown) {
      this.#broken(thrown);
    }
  }

  fail(error: ApiError): void {
    this.#upstreamEnded = true;
    this.#stopWaiting();
    if (this.#over) return;
    if (this.#stream?.hasAllOutput) {
      this.#endStream();
      return;
    }
    this.#over = true;
    this.#decompressed?.destroy();
    this.#sender.drop(this.#stream?.dropped ?? []);
    this.#sink.fail(error);
  }

  #startStream(): void {
    const { upstream, caller, onResponse } = this.#options;
    this.#stream = new TranslatedStream({
      upstream,
      caller,
      context: this.#context,
      restorer: this.#restorer,
      keepsEvents: onResponse !== undefined || !this.#sender.wantsStream,
      onUsage: (count) => this.#sink.used?.(count),
    });
    if (!isPlain(this.#encoding)) this.#decompress();
    if (!this.#over) this.#sender.startStream();
  }

  #decompress(): void {
    this.#decompressed = DecompressedStream.of(this.#encoding, {
      data: (bytes) => this.#over || this.#guard(() => this.#pass(bytes)),
      end: () => this.#over || this.#guard(() => this.#endStream()),
      fail: (message) => this.#abandon(malformed(message)),
      wait: (isWaiting) => {
        if (isWaiting) this.#call?.pause();
        else if (!this.#isPaused) this.#call?.resume();
      },
    });
    if (this.#decompressed === undefined)
      this.#abandon(malformed(`The upstream's answer uses an unsupported content encoding: ${this.#encoding}.`));
  }

  #pass(bytes: Buffer): boolean {
    const stream = this.#stream;
    if (stream === undefined || (stream.keepsEvents && !this.#hasRoom(bytes.length))) return true;
    const canContinue = this.#sender.piece(stream.push(bytes));
    const further = stream.size - this.#counted;
    if (!stream.keepsEvents && Math.abs(further) >= COUNTED_BYTES) {
      this.#counted = stream.size;
      if (!this.#hasRoom(further)) return true;
    }
    if (stream.phase === 'over') this.#endStream();
    else if (stream.hasAllOutput) this.#awaitEnd();
    return canContinue;
  }

  /**
   * What still arrives counts, too, so each piece restarts the wait. The timers of a process that was busy fire before the
   * bytes that have arrived are read, so the answer ends only after the next read.
   */
  #awaitEnd(): void {
    clearImmediate(this.#endCheck);
    if (this.#endTimer === undefined) this.#endTimer = setTimeout(() => this.#waitPassed(), END_WAIT_MS);
    else this.#endTimer.refresh();
  }

  /** A caller who reads slowly keeps the rest of the answer from being read. */
  #waitPassed(): void {
    if (this.#isPaused) this.#endTimer?.refresh();
    else this.#endCheck = setImmediate(() => this.#endStream());
  }

  #stopWaiting(): void {
    clearTimeout(this.#endTimer);
    clearImmediate(this.#endCheck);
  }

  #endStream(): true {
    const stream = this.#stream;
    if (stream === undefined || this.#over) return true;
    this.#sender.piece(stream.end());
    this.#sender.drop(stream.dropped);
    this.#finish();
    this.#letUpstreamEnd();
    const whole = stream.response();
    const { mask } = this.#options;
    // A key in the texts of several events is found only where they are joined.
    const response = whole && mask ? withoutKey(whole, mask) : whole;
    if (response !== undefined) this.#options.onResponse?.(response);
    if (stream.error !== undefined) this.#sink.fail(stream.error);
    else this.#sender.endStream(response);
    return true;
  }

  /** Whether there is room for further bytes. Otherwise the request was ended, and has been answered. */
  #hasRoom(bytes: number): boolean {
    if (this.#options.memory?.answer(bytes) !== false) return true;
    this.#finish();
    return false;
  }

  #collect(bytes: Buffer, body: TranslatedBody): boolean {
    if (!this.#hasRoom(bytes.length)) return true;
    if (!body.bytes.add(bytes)) this.#abandon(malformed("The upstream's answer is too long."));
    return true;
  }

  /** An error in the gateway's own code must not leave the client waiting, not even one in the last step. */
  #guard(step: () => boolean): boolean {
    try {
      return step();
    } catch (thrown) {
      return this.#broken(thrown);
    }
  }

  #broken(thrown: unknown): true {
    const reason = errorText(thrown);
    this.#over = false;
    if (thrown instanceof FormatError)
      this.#abandon(malformed(`The upstream's response is not a valid answer: ${reason}`));
    else this.#abandon({ kind: 'server', status: 500, message: `The answer could not be translated: ${reason}` });
    return true;
  }

  /** Ignores everything that the upstream still sends. */
  #finish(): void {
    this.#over = true;
    this.#stopWaiting();
  }

  /** Gives the upstream time to end by itself, which keeps its connection, before the call is canceled. */
  #letUpstreamEnd(): void {
    const call = this.#call;
    if (call === undefined || this.#upstreamEnded) return;
    this.#endTimer = setTimeout(() => call.cancel(), END_WAIT_MS);
    call.resume();
  }

  #abandon(error: ApiError): void {
    if (this.#over) return;
    this.#finish();
    this.#decompressed?.destroy();
    this.#call?.cancel();
    this.#sink.fail(error);
  }
}
