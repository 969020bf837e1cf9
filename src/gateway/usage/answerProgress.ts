import { isFailure as isChatCompletionsFailure } from '../../formats/chatCompletions/response.ts';
import type { FormatName } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import { isFailure as isMessagesFailure } from '../../formats/messages/response.ts';
import { eventsIn } from '../../formats/serverSentEvents.ts';
import { joined } from '../http/byteList.ts';
import { endOfLastEvent } from '../http/eventBounds.ts';
import { QuotedWord, WordSearch } from '../http/wordSearch.ts';

interface Word {
  indexIn(bytes: Buffer): number;
}

const DONE_BYTES = Buffer.from('[DONE]');
const DONE: Word = { indexIn: (bytes) => bytes.indexOf(DONE_BYTES) };

/** Words in the first events of a stream. */
const FIRST_WORDS: Readonly<Record<FormatName, Word>> = {
  'chat-completions': new QuotedWord('choices'),
  messages: new QuotedWord('message_start'),
  responses: new QuotedWord('response.created'),
};
/**
 * Words in the last events of a stream, with JSON quotes or as in the wire format, so that no text inside JSON can
 * contain them.
 */
const LAST_WORDS: Readonly<Record<FormatName, readonly Word[]>> = {
  'chat-completions': [DONE],
  messages: [new QuotedWord('message_stop')],
  responses: ['response.completed', 'response.incomplete', 'response.failed'].map((word) => new QuotedWord(word)),
};
/** Contained in every failure. Searching for them is much cheaper than parsing the events. */
const FAILURE_WORDS = ['"error"', 'response.failed'].map((word) => new WordSearch(word));
/** Some servers send `null` for no error. */
const ERROR = /"type"\s*:\s*"error"|"error"\s*:\s*[{"]/;
const FAILURES: ReadonlySet<unknown> = new Set(['error', 'response.failed']);
/**
 * Some servers omit the last event. After these words, only the usage follows. The responses format has both in one
 * event.
 */
const FINISHES: Readonly<Record<FormatName, RegExp | undefined>> = {
  'chat-completions': /"finish_reason"\s*:\s*(?:"(?!null")|\{)/,
  messages: /"stop_reason"\s*:\s*(?:"|\{)/,
  responses: undefined,
};
interface Reason {
  readonly name: QuotedWord;
  readonly isFailure: (reason: string) => boolean;
}

/** The members of events with the reason why an answer ended. */
const REASONS: Readonly<Record<FormatName, Reason | undefined>> = {
  'chat-completions': { name: new QuotedWord('finish_reason'), isFailure: isChatCompletionsFailure },
  messages: { name: new QuotedWord('stop_reason'), isFailure: isMessagesFailure },
  responses: undefined,
};
/** What follows the name of a member with a reason. Some servers send `"null"` until there is one. */
const REASON = /^\s*:\s*"(?!null")([^"\\]+)"/;
const MAX_REASON_BYTES = 256;
/** If a stream contains several choices, each has its own end. */
const FURTHER_INDEX = /"index"\s*:\s*[1-9]/;
/** At least this much of the end of a stream is kept: the last two events, or an error with a long message. */
const KEPT_BYTES = 8 * 1024;

/** Typical length of an answer's last event, in bytes. */
const SEARCHED_FIRST = 512;

/** How far a passing stream has come, because a connection can close in the middle of an answer without an error. */
export class AnswerProgress {
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
    // The last event of a long piece is usually at its end, which is searched first.
    this.#ended = this.#ends(bytes.subarray(-SEARCHED_FIRST)) || (bytes.length > SEARCHED_FIRST && this.#ends(bytes));
    const kept = bytes.length > KEPT_BYTES ? endOf(bytes) : bytes;
    this.#last.push(kept);
    this.#lastBytes += kept.length;
    for (let first = this.#last[0]; first !== undefined; first = this.#last[0]) {
      if (this.#lastBytes - first.length < KEPT_BYTES) return;
      this.#lastBytes -= first.length;
      this.#last.shift();
    }
  }

  /** Whether the stream is empty, or has started but contains neither its end nor an event that reports an error. */
  get isCut(): boolean {
    if (this.#ended) return false;
    const bytes = this.lastBytes;
    if (!this.#begun && !this.#begins(bytes)) return bytes.length === 0;
    const end = bytes.toString('latin1');
    if (this.#ends(bytes) || this.#finishes(end)) return false;
    return !ERROR.test(end) || bareErrorIn(bytes) !== undefined;
  }

  /** Whether the answer is complete, even if the connection is open and the last event is missing. */
  get hasAllOutput(): boolean {
    if (this.#ended) return true;
    const end = this.lastBytes.toString('latin1');
    const isOneOfSeveral = this.#format === 'chat-completions' && FURTHER_INDEX.test(end);
    return this.#finishes(end) && !isOneOfSeveral;
  }

  #finishes(end: string): boolean {
    return FINISHES[this.#format]?.test(end) === true;
  }

  /** Whether the last events contain an error reported by the upstream, or a reason for the end that is no normal one. */
  get hasFailed(): boolean {
    const bytes = this.lastBytes;
    if (this.#endedEarly(bytes)) return true;
    if (!FAILURE_WORDS.some((word) => word.isIn(bytes, () => true))) return false;
    return eventsIn(bytes).some(({ data }) => isFailure(parseJson(data)));
  }

  #endedEarly(bytes: Buffer): boolean {
    const reason = REASONS[this.#format];
    if (reason === undefined) return false;
    const { name, isFailure: isEarly } = reason;
    // The last event with a reason is at the end, so the others need not be read.
    for (let at = name.lastIndexIn(bytes); at !== -1; at = name.lastIndexIn(bytes, at)) {
      const from = at + name.length;
      const found = REASON.exec(bytes.toString('latin1', from, from + MAX_REASON_BYTES))?.[1];
      if (found !== undefined) return isEarly(found);
    }
    return false;
  }

  /** At least the last two events, if they are not very long. */
  get lastBytes(): Buffer {
    return joined(this.#last);
  }

  /** Whether the format's last event has arrived. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Whether it is complete except for the format's last event. */
  get lacksLastEvent(): boolean {
    return !this.#ended && this.hasAllOutput;
  }

  #begins(bytes: Buffer): boolean {
    return FIRST_WORDS[this.#format].indexIn(bytes) !== -1;
  }

  #ends(bytes: Buffer): boolean {
    return this.#words.some((word) => word.indexIn(bytes) !== -1);
  }
}

/** Returns the events in the last {@link KEPT_BYTES} of a longer piece. */
function endOf(bytes: Buffer): Buffer {
  return bytes.subarray(endOfLastEvent(bytes.subarray(0, -KEPT_BYTES)));
}

const LAST_OBJECT = /(?:^|[\r\n])(\{[\s\S]*\})\s*$/;

/** Returns an error at the end of a stream that is not in an event, so that no client reads it. */
export function bareErrorIn(bytes: Buffer): JsonRecord | undefined {
  const value = parseJson(LAST_OBJECT.exec(bytes.toString())?.[1] ?? '');
  return isRecord(value) && isFailure(value) ? value : undefined;
}

function isFailure(event: unknown): boolean {
  if (!isRecord(event)) return false;
  const { type, error } = event;
  return typeof type === 'string' ? FAILURES.has(type) : isRecord(error) || typeof error === 'string';
}
