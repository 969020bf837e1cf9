import { assembleResponse } from '../../../formats/answer.ts';
import type { ApiError } from '../../../formats/apiError.ts';
import type { ChatEvent, ChatResponse, Usage } from '../../../formats/conversation.ts';
import {
  formatServerSentEvent,
  type ServerSentEvent,
  ServerSentEventDecoder,
} from '../../../formats/serverSentEvents.ts';
import type {
  AnswerContext,
  EventParser,
  StreamDecoder,
  StreamEncoder,
  TextFrame,
  WireFormat,
} from '../../../formats/wireFormat.ts';
import { estimateTokens } from '../../../tokens/estimate.ts';
import type { UsageCount } from '../../upstreams/upstream.ts';
import type { AnswerRestorer } from './answerRestorer.ts';
import { newId } from './callIds.ts';
import { forCaller } from './errorAnswer.ts';

export interface StreamOptions {
  readonly upstream: WireFormat;
  readonly caller: WireFormat;
  readonly context: AnswerContext;
  readonly restorer: AnswerRestorer;
  /** Whether {@link TranslatedStream.response} will be asked for. */
  readonly keepsEvents: boolean;
  /** Called each time more is known of what the answer used. */
  readonly onUsage?: (count: UsageCount) => void;
}

/** A part of the answer whose text is under way, and how its next piece is written. */
interface OpenText extends TextFrame {
  readonly index: number;
}

/** `finished`: all is told but perhaps the usage. `over`: nothing that comes now means anything. */
type Phase = 'open' | 'finished' | 'over';

/** One stream of an upstream's format on its way into the caller's. Takes bytes split anywhere and gives text. */
export class TranslatedStream {
  readonly #options: StreamOptions;
  readonly #bytes = new ServerSentEventDecoder();
  readonly #parser: EventParser<unknown>;
  readonly #decoder: StreamDecoder<unknown>;
  readonly #encoder: StreamEncoder;
  readonly #events: ChatEvent[] = [];
  /** What was said, as long as the upstream has not counted it. */
  #uncounted: string[] = [];
  #usage: Usage | undefined;
  #isEstimated = false;
  /** Where the last event was a piece of text and nothing else. */
  #openText: OpenText | undefined;
  #phase: Phase = 'open';
  #error: ApiError | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#parser = options.upstream.createEventParser?.() ?? { parse: options.upstream.parseEvent };
    this.#decoder = options.upstream.createStreamDecoder(newId());
    this.#encoder = options.caller.createStreamEncoder(options.context);
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Why the answer is not whole, once the client was told. */
  get error(): ApiError | undefined {
    return this.#error;
  }

  /** Everything that a chunk gives, in one piece; empty when it completes no event. */
  push(chunk: Uint8Array): string {
    return this.#read(this.#bytes.push(chunk));
  }

  /** The upstream has closed, or its answer is whole. */
  end(): string {
    return this.#read(this.#bytes.end()) + this.#endOfStream();
  }

  /** The upstream broke. An answer that was whole by then stays so. */
  fail(error: ApiError): string {
    if (this.#phase === 'over') return '';
    return this.#phase === 'finished' ? this.#close() : this.#tell([{ type: 'error', error }]);
  }

  /** The whole answer, once it is over without an error; only where the events were kept. */
  response(): ChatResponse | undefined {
    const isWhole = this.#error === undefined && this.#phase === 'over' && this.#options.keepsEvents;
    return isWhole ? assembleResponse(this.#events) : undefined;
  }

  #read(events: readonly ServerSentEvent[]): string {
    let text = '';
    for (const event of events) {
      if (this.#phase === 'over') break;
      const repeated = this.#openText && this.#repeat(event, this.#openText);
      text += repeated ?? this.#translate(event);
    }
    return text;
  }

  /** Most events are more of the same text. Neither the decoder nor the encoder would learn anything from them. */
  #repeat(event: ServerSentEvent, { index, before, after }: OpenText): string | undefined {
    const text = this.#parser.repeatedText?.(event);
    if (text === undefined || text === '') return undefined;
    this.#note({ type: 'textDelta', index, text });
    return before + JSON.stringify(text) + after;
  }

  #translate(event: ServerSentEvent): string {
    const item = this.#parser.parse(event);
    const told = this.#decoder.push(item);
    const text = this.#tell(told);
    this.#openText = this.#phase === 'open' ? this.#openTextAfter(told) : undefined;
    if (item.type === 'done') return text + this.#endOfStream();
    return this.#isWhole() ? text + this.#close() : text;
  }

  #openTextAfter([event, ...others]: readonly ChatEvent[]): OpenText | undefined {
    if (event?.type !== 'textDelta' || others.length > 0) return undefined;
    const { index } = event;
    const frame = this.#encoder.textFrame?.(index);
    return frame && { index, ...frame };
  }

  /** What the decoder still has to say is that the answer was cut, when it was. */
  #endOfStream(): string {
    return this.#phase === 'over' ? '' : this.#tell(this.#decoder.end()) + this.#close();
  }

  /** Only chat-completions counts after its last word. */
  #isWhole(): boolean {
    return this.#phase === 'finished' && this.#options.upstream.name !== 'chat-completions';
  }

  #tell(events: readonly ChatEvent[]): string {
    let text = '';
    for (const event of events) {
      for (const restored of this.#options.restorer.event(event)) {
        this.#note(restored);
        text += this.#encode(restored);
        if (this.#error !== undefined) {
          this.#phase = 'over';
          return text;
        }
      }
    }
    return text;
  }

  #encode(event: ChatEvent): string {
    const { upstream, caller } = this.#options;
    const told = event.type === 'error' ? { ...event, error: forCaller(event.error, upstream, caller) } : event;
    return asText(this.#encoder.push(told));
  }

  #note(event: ChatEvent): void {
    if (this.#options.keepsEvents) this.#events.push(event);
    switch (event.type) {
      case 'usage':
        this.#usage = event.usage;
        this.#options.onUsage?.({ usage: event.usage, isEstimated: this.#isEstimated });
        return;
      case 'finish':
        if (this.#phase === 'open') this.#phase = 'finished';
        return;
      case 'error':
        this.#error = event.error;
        return;
      case 'textDelta':
      case 'refusalDelta':
      case 'reasoningDelta':
        this.#uncounted.push(event.text);
        return;
      case 'toolCallDelta':
        this.#uncounted.push(event.arguments);
        return;
    }
  }

  /** Says what is still owed; where nobody counted, an estimate is nearer to the truth than nothing. */
  #close(): string {
    if (this.#phase === 'over') return '';
    this.#isEstimated = this.#phase === 'finished' && (this.#usage?.outputTokens ?? 0) === 0;
    const estimate = this.#isEstimated ? this.#tell([{ type: 'usage', usage: this.#estimate() }]) : '';
    this.#phase = 'over';
    this.#uncounted = [];
    return estimate + asText(this.#encoder.end());
  }

  #estimate(): Usage {
    const inputTokens = this.#usage?.inputTokens || (this.#options.context.inputTokens ?? 0);
    return { ...this.#usage, inputTokens, outputTokens: estimateTokens(this.#uncounted.join('')) };
  }
}

function asText(events: readonly ServerSentEvent[]): string {
  let text = '';
  for (const event of events) text += formatServerSentEvent(event);
  return text;
}
