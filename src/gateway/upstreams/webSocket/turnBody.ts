import { parseJson } from '../../../formats/json.ts';
import { itemsAfter, itemsIn, writtenMember } from '../../http/itemList.ts';
import { ObjectScanner } from '../../http/objectScanner.ts';

/** A request for a stream, divided into its input and everything else. */
export interface TurnBody {
  /** All other members, in their order. */
  readonly members: Buffer;
  /** The items, separated by commas. */
  readonly input: Buffer;
}

/** A request, with its input as it was written. */
export interface WrittenTurn extends TurnBody {
  readonly written: Buffer;
}

/** A conversation that a service keeps for the connection on which it was asked. */
export interface KeptConversation extends TurnBody {
  /** The ID of its last answer. */
  readonly id: string;
}

const OF_TRANSPORT: ReadonlySet<string> = new Set(['input', 'stream']);
/** Members with another meaning in an event, and one whose conversation this connection need not know. */
const NOT_OVER_HTTP = ['type', 'generate', 'stream_id', 'previous_response_id'];
const COMMA = Buffer.from(',');
const EMPTY_LIST = Buffer.from('[]');

/**
 * Divides a body. Undefined if it does not ask for a stream, or names an earlier answer, or is not what it should be, so
 * that it is sent over HTTP.
 */
export function turnBody(body: Buffer): WrittenTurn | undefined {
  const scanner = new ObjectScanner(new Set(['stream', 'background']));
  scanner.push(body);
  const { members, values, closedAt } = scanner;
  const value = (name: string): unknown => parseJson(values.get(name) ?? '');
  const names = new Set(members.map(({ name }) => name));
  const isOdd = closedAt === undefined || names.size < members.length || NOT_OVER_HTTP.some((name) => names.has(name));
  if (isOdd || value('stream') !== true || value('background') === true) return undefined;
  const found = members.find(({ name }) => name === 'input');
  const writtenInput = found === undefined ? EMPTY_LIST : body.subarray(found.start, found.end);
  const input = itemsIn(writtenInput);
  if (input === undefined) return undefined;
  const others = members.filter(({ name }) => !OF_TRANSPORT.has(name));
  const written = others.flatMap(({ name, start, end }) => [COMMA, writtenMember(name, body.subarray(start, end))]);
  return { members: Buffer.concat(written), input, written: writtenInput };
}

/** Returns the items that a service does not have yet. Undefined if the request does not continue the conversation. */
export function newItems({ members, input }: TurnBody, kept: KeptConversation): Buffer | undefined {
  return kept.members.equals(members) ? itemsAfter(input, kept.input) : undefined;
}

/** Returns the event that asks for the answer. */
export function createEvent({ members, written }: WrittenTurn): string {
  return `{"type":"response.create"${members.toString()},"input":${written.toString()}}`;
}

/** The same for a service that has all other items. */
export function continuingEvent({ members }: TurnBody, items: Buffer, previousResponseId: string): string {
  const previous = JSON.stringify(previousResponseId);
  return `{"type":"response.create"${members.toString()},"previous_response_id":${previous},"input":[${items.toString()}]}`;
}
