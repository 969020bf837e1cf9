import { parseJson } from '../../../service/json.ts';
import { itemsAfter, itemsIn, writtenMember } from '../../http/itemList.ts';
import { ObjectScanner } from '../../http/objectScanner.ts';

/** A request for a stream, divided into its input and everything else. */
export interface TurnBody {
  /** All other members, in their order. */
  readonly members: Buffer;
  /** The items, separated by commas. */
  readonly input: Buffer;
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

/**
 * Divides a body. Undefined if it does not ask for a stream, or names an earlier answer, or is not what it should be, so
 * that it is sent over HTTP.
 */
export function turnBody(body: Buffer): TurnBody | undefined {
  const scanner = new ObjectScanner(new Set(['stream', 'background']));
  scanner.push(body);
  const { members, values, closedAt } = scanner;
  const value = (name: string): unknown => parseJson(values.get(name) ?? '');
  const names = new Set(members.map(({ name }) => name));
  const isOdd = closedAt === undefined || names.size < members.length || NOT_OVER_HTTP.some((name) => names.has(name));
  if (isOdd || value('stream') !== true || value('background') === true) return undefined;
  const found = members.find(({ name }) => name === 'input');
  const input = found === undefined ? Buffer.alloc(0) : itemsIn(body.subarray(found.start, found.end));
  if (input === undefined) return undefined;
  const others = members.filter(({ name }) => !OF_TRANSPORT.has(name));
  const written = others.flatMap(({ name, start, end }) => [COMMA, writtenMember(name, body.subarray(start, end))]);
  return { members: Buffer.concat(written), input };
}

/** Returns the items that a service does not have yet. Undefined if the request does not continue the conversation. */
export function newItems({ members, input }: TurnBody, kept: KeptConversation): Buffer | undefined {
  return kept.members.equals(members) ? itemsAfter(input, kept.input) : undefined;
}

/** Returns the event that asks for the answer. */
export function createEvent({ members }: TurnBody, items: Buffer, previousResponseId: string | undefined): string {
  const previous =
    previousResponseId === undefined ? '' : `,"previous_response_id":${JSON.stringify(previousResponseId)}`;
  return `{"type":"response.create"${members.toString()}${previous},"input":[${items.toString()}]}`;
}
