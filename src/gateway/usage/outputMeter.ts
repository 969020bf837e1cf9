import type { ChatEvent } from '../../formats/conversation.ts';
import { ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';
import type { StreamDecoder, WireFormat } from '../../formats/wireFormat.ts';
import { estimateTokens } from '../../tokens/estimate.ts';

/** Text is sized up in pieces of about this many characters: word by word it would seem more than it is. */
const PIECE = 4096;

/**
 * Sizes up what a stream says, in tokens, from its passing bytes. Each event is parsed, so only streams are read this way
 * whose usage must be known even when nobody counts it.
 */
export class OutputMeter {
  readonly #format: WireFormat;
  readonly #bytes = new ServerSentEventDecoder();
  readonly #decoder: StreamDecoder<unknown>;
  #tokens = 0;
  #text = '';

  constructor(format: WireFormat) {
    this.#format = format;
    this.#decoder = format.createStreamDecoder();
  }

  add(chunk: Uint8Array | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (const event of this.#bytes.push(bytes)) {
      for (const told of this.#decoder.push(this.#format.parseEvent(event))) this.#text += textOf(told);
    }
    if (this.#text.length >= PIECE) this.#count();
  }

  /** Of all that came so far. */
  get tokens(): number {
    this.#count();
    return this.#tokens;
  }

  #count(): void {
    this.#tokens += estimateTokens(this.#text);
    this.#text = '';
  }
}

function textOf(event: ChatEvent): string {
  switch (event.type) {
    case 'textDelta':
    case 'refusalDelta':
    case 'reasoningDelta':
      return event.text;
    case 'toolCallDelta':
      return event.arguments;
    default:
      return '';
  }
}
