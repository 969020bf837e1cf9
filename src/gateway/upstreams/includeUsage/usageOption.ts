/** The option of a chat-completions request by which its stream tells the usage at its end. */
import { isRecord } from '../../../formats/json.ts';
import { parseJson } from '../../../service/json.ts';
import { asBuffer } from '../../http/asBuffer.ts';
import { type FoundMember, ObjectScanner } from '../../http/objectScanner.ts';
import { WordSearch } from '../../http/wordSearch.ts';

export const OPTIONS = 'stream_options';
export const WANTED: ReadonlySet<string> = new Set(['stream', OPTIONS]);
/** As the last member of a request without such options. */
export const LAST_MEMBER = Buffer.from(`,"${OPTIONS}":{"include_usage":true}`);

const STREAM = new WordSearch('"stream"');
const NAMED_OPTIONS = new WordSearch(`"${OPTIONS}"`);
/** Reading all members of shorter requests takes no time. In bytes. */
const LONG = 16 * 1024;
/** As much of an end of a long request is read, in bytes. */
const END_BYTES = 2 * 1024;
const OPENING_BRACE = Buffer.from('{');
/** Behind the name, or so much space that it is not told here. */
const IS_TRUE = /^\s*:?\s*(?:true|$)/;
const LOOKED_AT = 16;

/**
 * The request with the option, every other byte as it was. `undefined` when it asks by itself, is no stream, or names its
 * options in a way that is not clear.
 */
export function withUsageAsked(body: Uint8Array): Uint8Array | undefined {
  const bytes = asBuffer(body);
  const isTrue = (_: number, end: number) => IS_TRUE.test(bytes.toString('latin1', end, end + LOOKED_AT));
  if (!STREAM.isIn(bytes, isTrue)) return undefined;
  const end = endOfLongStream(bytes);
  if (end !== undefined) return spliced(bytes, { start: end, end }, LAST_MEMBER);
  const scanner = new ObjectScanner(WANTED);
  scanner.push(bytes);
  const { closedAt, members, values } = scanner;
  if (closedAt === undefined || values.get('stream') !== 'true') return undefined;
  const [options, ...others] = members.filter(({ name }) => name === OPTIONS);
  if (others.length > 0) return undefined;
  if (options === undefined) return spliced(bytes, { start: closedAt, end: closedAt }, LAST_MEMBER);
  const wanted = optionsWithUsage(values.get(OPTIONS) ?? '');
  return wanted === undefined ? undefined : spliced(bytes, options, Buffer.from(wanted));
}

/**
 * Where a long request closes that says at one of its ends that it is a stream, and names no options anywhere: told without
 * reading what is in between, which takes milliseconds for a megabyte.
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

/** Whether what begins there are the last members of the request: an object that they are in closes only at its end. */
function endsStream(bytes: Buffer, start: number, close: number): boolean {
  if (close - start > END_BYTES) return false;
  const scanner = new ObjectScanner(WANTED);
  scanner.push(Buffer.concat([OPENING_BRACE, bytes.subarray(start, close + 1)]));
  return scanner.closedAt === close - start + OPENING_BRACE.length && scanner.values.get('stream') === 'true';
}

/** The request without any such options. */
export function withoutOptions(body: Uint8Array): Uint8Array {
  const value = parseJson(asBuffer(body).toString());
  if (!isRecord(value)) return body;
  const { [OPTIONS]: _, ...rest } = value;
  return Buffer.from(JSON.stringify(rest));
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
