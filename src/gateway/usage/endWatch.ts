import type { FormatName } from '../../formats/conversation.ts';
import { isRecord } from '../../formats/json.ts';
import { ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';
import { parseJson } from '../../service/json.ts';
import { QuotedWord } from '../http/quotedWord.ts';
import { WordSearch } from '../http/wordSearch.ts';

interface Word {
  indexIn(bytes: Buffer): number;
}

const DONE_BYTES = Buffer.from('[DONE]');
const DONE: Word = { indexIn: (bytes) => bytes.indexOf(DONE_BYTES) };

/** Words that stand in the first events of a stream. */
const FIRST_WORDS: Readonly<Record<FormatName, Word>> = {
  'chat-completions': new QuotedWord('choices'),
  messages: new QuotedWord('message_start'),
  responses: new QuotedWord('response.created'),
};
/** Words, as JSON or the wire writes them and no text within JSON can, that stand in the last events of a stream. */
const LAST_WORDS: Readonly<Record<FormatName, readonly Word[]>> = {
  'chat-completions': [DONE],
  messages: [new QuotedWord('message_stop')],
  responses: ['response.completed', 'response.incomplete', 'response.failed'].map((word) => new QuotedWord(word)),
};
/** What every failure says; to search for it is much cheaper than to read the events. */
const FAILURE_WORDS = ['"error"', 'response.failed'].map((word) => new WordSearch(word));
/** An error that is null is none. */
const ERROR = /"type"\s*:\s*"error"|"error"\s*:\s*[{"]/;
const FAILURES: ReadonlySet<unknown> = new Set(['error', 'response.failed']);
/** Some servers omit the last event; after these words only the usage follows. Responses has them in one event. */
const FINISHES: Readonly<Record<FormatName, RegExp | undefined>> = {
  'chat-completions': /"finish_reason"\s*:\s*"/,
  messages: /"stop_reason"\s*:\s*"/,
  responses: undefined,
};
/** Of several answers in one stream, each has an end of its own. */
const FURTHER_INDEX = /"index"\s*:\s*[1-9]/;
/** At least as much of the end of a stream is kept: the last two events, or an error with a long message. */
const KEPT_BYTES = 8 * 1024;

/** As much as the last event of an answer often has, in bytes. */
const SEARCHED_FIRST = 512;

/** Watches a passing stream for its end, since a connection may close in the middle as cleanly as at the end. */
export class EndWatch {
  readonly #format: FormatName;
  readonly #words: readonly Word[];
  readonly #last: Buffer[] = [];
  #lastBytes = 0;
  #begun = false;
  #ended = false;

  constructor(format: FormatName) {
    this.#format = format;
    this.#words = LAST_WORDS[format];
  }

  push(bytes: Buffer): void {
    if (this.#ended) return;
    this.#begun ||= this.#begins(bytes);
    // Where a long piece has the end, it has it at its own end.
    this.#ended = this.#ends(bytes.subarray(-SEARCHED_FIRST)) || (bytes.length > SEARCHED_FIRST && this.#ends(bytes));
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
    const bytes = this.#kept;
    if (!this.#begun && !this.#begins(bytes)) return bytes.length === 0;
    const end = bytes.toString('latin1');
    return !(ERROR.test(end) || this.#ends(bytes) || this.#finishes(end));
  }

  /** Whether all is said, although the connection is open and the last event may be missing. */
  get hasSaidAll(): boolean {
    if (this.#ended) return true;
    const end = this.#kept.toString('latin1');
    const isOneOfSeveral = this.#format === 'chat-completions' && FURTHER_INDEX.test(end);
    return this.#finishes(end) && !isOneOfSeveral;
  }

  #finishes(end: string): boolean {
    return FINISHES[this.#format]?.test(end) === true;
  }

  /** Whether its last events have the upstream's own word of an error. */
  get hasFailed(): boolean {
    const bytes = this.#kept;
    if (!FAILURE_WORDS.some((word) => word.isIn(bytes, () => true))) return false;
    return [...new ServerSentEventDecoder().push(bytes)].some(({ data }) => isFailure(parseJson(data)));
  }

  get #kept(): Buffer {
    const [first] = this.#last;
    return first !== undefined && this.#last.length === 1 ? first : Buffer.concat(this.#last);
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  #begins(bytes: Buffer): boolean {
    return FIRST_WORDS[this.#format].indexIn(bytes) !== -1;
  }

  #ends(bytes: Buffer): boolean {
    return this.#words.some((word) => word.indexIn(bytes) !== -1);
  }
}

function isFailure(event: unknown): boolean {
  if (!isRecord(event)) return false;
  const { type, error } = event;
  return typeof type === 'string' ? FAILURES.has(type) : isRecord(error) || typeof error === 'string';
}
