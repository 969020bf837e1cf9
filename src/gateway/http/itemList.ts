/** Lists of items in requests and answers of the responses format, as bytes, so that nothing in them is changed. */
import { JsonCursor } from './jsonCursor.ts';
import { firstVisible, SPACE } from './jsonMeasure.ts';
import { ObjectScanner } from './objectScanner.ts';

const COMMA = Buffer.from(',');
const [OPENING, CLOSING] = [Buffer.from('['), Buffer.from(']')] as const;
const NOTHING = Buffer.alloc(0);
const MESSAGE = Buffer.from('{"type":"message","role":"user","content":');
const MESSAGE_END = Buffer.from('}');

/** Returns the items of an input, separated by commas. A text is a message of the user. Undefined for any other value. */
export function itemsIn(input: Buffer): Buffer | undefined {
  const { kind } = new JsonCursor(input);
  if (kind === 'array') return input.subarray(firstVisible(input, 1), lastVisible(input, input.length - 1));
  if (kind === 'string') return Buffer.concat([MESSAGE, input, MESSAGE_END]);
  return input.toString() === 'null' ? NOTHING : undefined;
}

/** Joins lists of items, of which any may be empty. */
export function joinItems(...lists: readonly Buffer[]): Buffer {
  const filled = lists.filter(({ length }) => length > 0);
  return Buffer.concat(filled.flatMap((list, nth) => (nth === 0 ? [list] : [COMMA, list])));
}

/** Returns items that are separated by commas as a list. */
export function listOf(items: Buffer): Buffer {
  return Buffer.concat([OPENING, items, CLOSING]);
}

/** Returns the items after those that the list begins with. Undefined if it does not begin with them. */
export function itemsAfter(items: Buffer, beginning: Buffer): Buffer | undefined {
  if (items.length < beginning.length || !items.subarray(0, beginning.length).equals(beginning)) return undefined;
  if (beginning.length === 0 || items.length === beginning.length) return items.subarray(beginning.length);
  return items[beginning.length] === COMMA[0] ? items.subarray(beginning.length + 1) : undefined;
}

/** Returns the value of a member of an object, as it is written. Empty if there is none. */
export function memberOf(json: string, name: string): Buffer {
  const bytes = Buffer.from(json);
  const scanner = new ObjectScanner();
  scanner.push(bytes);
  const member = scanner.members.find((each) => each.name === name);
  return member === undefined ? NOTHING : bytes.subarray(member.start, member.end);
}

/** Returns a member of an object with its name. */
export function writtenMember(name: string, value: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(name)}:`), Buffer.from(value)]);
}

/** Returns the end of what is visible before a position. */
function lastVisible(bytes: Buffer, before: number): number {
  let end = before;
  while (end > 1 && (bytes[end - 1] ?? 0) <= SPACE) end -= 1;
  return end;
}
