import type { FormatName } from '../../formats/conversation.ts';

/** Words that stand in the first events of a stream. */
const FIRST_WORDS: Readonly<Record<FormatName, string>> = {
  'chat-completions': '"choices"',
  messages: '"message_start"',
  responses: '"response.created"',
};
/** Words, as JSON or the wire writes them and no text within JSON can, that stand in the last events of a stream. */
const LAST_WORDS: Readonly<Record<FormatName, readonly string[]>> = {
  'chat-completions': ['[DONE]'],
  messages: ['"message_stop"'],
  responses: ['"response.completed"', '"response.incomplete"', '"response.failed"'],
};
/** An error that is null is none. */
const ERROR = /"type"\s*:\s*"error"|"error"\s*:\s*[{"]/;
/** Some servers of chat completions leave out `[DONE]`; whatever follows this is but the usage. */
const FINISH = /"finish_reason"\s*:\s*"/;
/** At least as much of the end of a stream is kept: the last two events, or an error with a long message. */
const KEPT_BYTES = 8 * 1024;

/** Watches a passing stream for its end, since a connection may close in the middle as cleanly as at the end. */
export class EndWatch {
  readonly #format: FormatName;
  readonly #words: readonly string[];
  readonly #last: Buffer[] = [];
  #lastBytes = 0;
  #begun = false;
  #ended = false;

  constructor(format: FormatName) {
    this.#format = format;
    this.#words = LAST_WORDS[format];
  }

  push(piece: Uint8Array | string): void {
    if (this.#ended) return;
    const bytes =
      typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    this.#begun ||= bytes.includes(FIRST_WORDS[this.#format]);
    this.#ended = this.#words.some((word) => bytes.includes(word));
    this.#last.push(bytes);
    this.#lastBytes += bytes.length;
    for (let first = this.#last[0]; first !== undefined; first = this.#last[0]) {
      if (this.#lastBytes - first.length < KEPT_BYTES) return;
      this.#lastBytes -= first.length;
      this.#last.shift();
    }
  }

  /** Whether it says nothing at all, or has begun without an end and without the upstream's own word of an error. */
  get isCut(): boolean {
    if (this.#ended) return false;
    const end = Buffer.concat(this.#last).toString('latin1');
    if (!this.#begun && !end.includes(FIRST_WORDS[this.#format])) return end === '';
    if (ERROR.test(end) || this.#words.some((word) => end.includes(word))) return false;
    return this.#format !== 'chat-completions' || !FINISH.test(end);
  }
}
