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
