/** The option of a chat-completions request that makes its stream report the usage at its end. */
import { isRecord } from '../../../formats/json.ts';
import { parseJson } from '../../../service/json.ts';
import { shortObject } from '../../http/jsonBody.ts';
import { type FoundMember, ObjectScanner } from '../../http/objectScanner.ts';
import { WordSearch } from '../../http/wordSearch.ts';

export const OPTIONS = 'stream_options';
export const WANTED: ReadonlySet<string> = new Set(['stream', OPTIONS]);
/** The last member of a request without such options. */
export const LAST_MEMBER = Buffer.from(`,"${OPTIONS}":{"include_usage":true}`);

const STREAM = new WordSearch('"stream"');
const NAMED_OPTIONS = new WordSearch(`"${OPTIONS}"`);
/** For shorter requests, reading all members takes no noticeable time. In bytes. */
const LONG = 16 * 1024;
/** How much is read at each end of a long request, in bytes. */
const END_BYTES = 2 * 1024;
const OPENING_BRACE = Buffer.from('{');
/** After the name, or more white space than is looked at. */
const IS_TRUE = /^\s*:?\s*(?:true|$)/;
const LOOKED_AT = 16;

/**
 * Adds the option to the request, leaving all other bytes unchanged. Returns `undefined` if the request has the option,
 * is not streamed, or names its options ambiguously.
 */
export function withUsageAsked(body: Buffer): Buffer | undefined {
  const short = shortObject(body);
  if (short === undefined ? !mayStream(body) : short.stream !== true) return undefined;
  const end = endOfLongStream(body);
  if (end !== undefined) return spliced(body, { start: end, end }, LAST_MEMBER);
  const scanner = new ObjectScanner(WANTED);
  scanner.push(body);
  const { closedAt, members, values } = scanner;
  if (closedAt === undefined || values.get('stream') !== 'true') return undefined;
  const [options, ...others] = members.filter(({ name }) => name === OPTIONS);
  if (others.length > 0) return undefined;
  if (options === undefined) return spliced(body, { start: closedAt, end: closedAt }, LAST_MEMBER);
  const wanted = optionsWithUsage(values.get(OPTIONS) ?? '');
  return wanted === undefined ? undefined : spliced(body, options, Buffer.from(wanted));
}

function mayStream(body: Buffer): boolean {
  return STREAM.isIn(body, (_, end) => IS_TRUE.test(body.toString('latin1', end, end + LOOKED_AT)));
}

/**
 * Returns the position of the closing brace of a long request if one of its ends shows that it is streamed and it
 * contains no such options. Skips the part in between, because reading it takes milliseconds per megabyte.
 */
function endOfLongStream(bytes: Buffer): number | undefined {
  if (bytes.length < LONG || NAMED_OPTIONS.isIn(bytes, () => true)) return undefined;
  let [count, start] = [0, 0];
  STREAM.isIn(bytes, (found) => {
    [count, start] = [count + 1, found];
    return count > 1;
  });
  const close = bytes.lastIndexOf('}');
  const isClear = count === 1 && bytes.toString('latin1', close + 1).trim() === '';
  return isClear && (startsStream(bytes) || endsStream(bytes, start, close)) ? close : undefined;
}

function startsStream(bytes: Buffer): boolean {
  const scanner = new ObjectScanner(WANTED);
  scanner.push(bytes.subarray(0, END_BYTES));
  return scanner.values.get('stream') === 'true';
}

/** Whether the bytes from `start` are the last members of the request: their object closes only at its end. */
function endsStream(bytes: Buffer, start: number, close: number): boolean {
  if (close - start > END_BYTES) return false;
  const scanner = new ObjectScanner(WANTED);
  scanner.push(Buffer.concat([OPENING_BRACE, bytes.subarray(start, close + 1)]));
  return scanner.closedAt === close - start + OPENING_BRACE.length && scanner.values.get('stream') === 'true';
}

function optionsWithUsage(json: string): string | undefined {
  const options = parseJson(json);
  if (options === null) return '{"include_usage":true}';
  if (!isRecord(options) || options.include_usage === true) return undefined;
  return JSON.stringify({ ...options, include_usage: true });
}

function spliced(bytes: Buffer, { start, end }: Pick<FoundMember, 'start' | 'end'>, inserted: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(end)]);
}
