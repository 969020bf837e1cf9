import type { FormatName } from '../../../formats/conversation.ts';
import type { JsonRecord } from '../../../formats/json.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { BilledFailure } from '../../../ledger/upstreamAttempt.ts';
import { ByteList } from '../../http/byteList.ts';
import { parseJsonBody, shortObject } from '../../http/jsonBody.ts';
import { QuotedWord } from '../../http/wordSearch.ts';
import { bodyKind, type EventKind } from './eventKind.ts';
import { type Failure, failureOfEvent, failureWithoutAnswer } from './failure.ts';
import { HeldStream } from './heldStream.ts';

/** Longer bodies cannot be one of the short errors that some servers send with status 200. */
const MAX_BYTES = 256 * 1024;

const ERROR = new QuotedWord('error');
const NO_ERROR = /^"error"\s*:\s*null\b/;
const MAX_NO_ERROR_LENGTH = 32;
/** Members that every answer has and no error has. */
const ANSWERS: Readonly<Record<FormatName, readonly QuotedWord[]>> = {
  'chat-completions': [new QuotedWord('choices'), new QuotedWord('message')],
  messages: [new QuotedWord('content')],
  responses: [new QuotedWord('output')],
};
/** The list that every answer has. */
const LISTS: Readonly<Record<FormatName, string>> = {
  'chat-completions': 'choices',
  messages: 'content',
  responses: 'output',
};
/** Some servers send streams with another content type. */
const EVENT_STREAM = /^\s*(?:event|data|id|:)/;
const LOOKED_AT = 16;
const OPENING_BRACE = '{'.charCodeAt(0);

/** Holds back an answer that is not a stream until it is known whether it is an error. */
export class HeldBody {
  readonly #format: WireFormat;
  readonly #maxBytes: number;
  readonly held = new ByteList();

  /** @param format the upstream's format. */
  constructor(format: WireFormat, maxBytes = MAX_BYTES) {
    this.#format = format;
    this.#maxBytes = maxBytes;
  }

  /** @returns false if the answer is too long to be held. */
  add(chunk: Buffer): boolean {
    this.held.add(chunk);
    return this.held.length <= this.#maxBytes;
  }

  /** @param asksReason whether the reason of an answer without output matters. */
  kind(asksReason: boolean): Exclude<EventKind, 'preamble'> {
    const bytes = this.held.concat();
    const { name } = this.#format;
    const short = shortObject(bytes);
    if (!asksReason && (short === undefined ? isSurelyAnswer(name, bytes) : isAnswer(name, short))) return 'output';
    if (short === undefined && beginsStream(bytes)) return this.#kindOfEvents(bytes);
    return bodyKind(name, short ?? parseJsonBody(bytes)) ?? 'output';
  }

  /**
   * Returns the failure for an answer that is an error, which costs something only if it reports usage.
   * @param billed the reported usage.
   */
  failure(billed: BilledFailure): Failure {
    const body = parseJsonBody(this.held.concat());
    const error = body === undefined ? undefined : this.#format.decodeError(body);
    return error === undefined
      ? failureWithoutAnswer("The upstream's response is not a valid answer.", billed)
      : failureOfEvent(error, this.#format, billed.usage === undefined ? undefined : billed);
  }

  #kindOfEvents(bytes: Buffer): Exclude<EventKind, 'preamble'> {
    const stream = new HeldStream(this.#format);
    const kind = stream.add(bytes) ?? stream.end();
    return kind === 'preamble' ? 'error' : kind;
  }
}

/** Whether the bytes start like an event stream, independently of the headers. */
export function beginsStream(bytes: Buffer): boolean {
  return bytes[0] !== OPENING_BRACE && EVENT_STREAM.test(bytes.toString('latin1', 0, LOOKED_AT));
}

function isAnswer(format: FormatName, { error, type, status, [LISTS[format]]: list }: JsonRecord): boolean {
  const hasFailed = (error !== undefined && error !== null) || type === 'error' || status === 'failed';
  return !hasFailed && Array.isArray(list) && list.length > 0;
}

/** Searches without parsing. An answer whose text mentions an error is not certain and must be parsed. */
function isSurelyAnswer(format: FormatName, bytes: Buffer): boolean {
  if (ANSWERS[format].some((word) => word.indexIn(bytes) === -1)) return false;
  const at = ERROR.indexIn(bytes);
  if (at === -1) return true;
  const isNull = NO_ERROR.test(bytes.toString('latin1', at, at + MAX_NO_ERROR_LENGTH));
  return isNull && ERROR.indexIn(bytes, at + 1) === -1;
}
