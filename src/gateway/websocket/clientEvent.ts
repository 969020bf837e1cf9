/** Events of a client. Their bodies are not parsed, so that everything in them arrives as it was written. */
import { parseJson } from '../../formats/json.ts';
import { itemsIn, joinItems, writtenMember } from '../http/itemList.ts';
import { firstVisible, OPENING_BRACE } from '../http/jsonMeasure.ts';
import { ObjectScanner } from '../http/objectScanner.ts';

export interface CreateEvent {
  readonly kind: 'create';
  /** The members of the request over HTTP that are kept as they are, each with its name. */
  readonly members: readonly Buffer[];
  /** The items of the input, separated by commas. Empty if there are none. */
  readonly input: Buffer;
  /** The input as it was written. */
  readonly written: Buffer;
  /** False for a warm-up, which prepares a conversation without an answer. */
  readonly generates: boolean;
  readonly model: string;
  readonly isStored: boolean;
  readonly previousResponseId?: string;
  /** Names the lane of the answer; its events repeat it. */
  readonly streamId?: string;
}

export type ClientEvent =
  | CreateEvent
  /** An event that asks for nothing. */
  | { readonly kind: 'note' }
  | { readonly kind: 'invalid'; readonly message: string; readonly code: string; readonly param?: string };

/** Members that only the event has, or that are written again. */
const OF_EVENT = ['type', 'generate', 'stream', 'stream_id', 'previous_response_id', 'input', 'background'];
const SHORT_VALUES = new Set(['type', 'generate', 'stream_id', 'previous_response_id', 'store', 'model', 'background']);
/** Codex reports which answers it has processed. */
const NOTES: ReadonlySet<unknown> = new Set(['response.processed']);

export function readClientEvent(bytes: Buffer): ClientEvent {
  const scanner = new ObjectScanner(SHORT_VALUES);
  scanner.push(bytes);
  const { closedAt, members, values } = scanner;
  const isWhole = closedAt !== undefined && bytes[firstVisible(bytes)] === OPENING_BRACE;
  if (!isWhole || firstVisible(bytes, closedAt + 1) < bytes.length) {
    return { kind: 'invalid', code: 'invalid_json', message: 'Send each event as one JSON object.' };
  }
  const value = (name: string): unknown => parseJson(values.get(name) ?? '');
  const type = value('type');
  if (NOTES.has(type)) return { kind: 'note' };
  if (type !== 'response.create') return unknownType(type);
  const repeated = OF_EVENT.find((name) => members.filter((member) => member.name === name).length > 1);
  if (repeated !== undefined) return invalid(`The event has "${repeated}" more than once.`, repeated);
  if (value('background') === true) return invalid('Answers in the background are not available here.', 'background');
  const input = members.find(({ name }) => name === 'input');
  const written = input === undefined ? EMPTY_LIST : bytes.subarray(input.start, input.end);
  const items = itemsIn(written);
  if (items === undefined) return invalid('The input must be a text or a list of items.', 'input');
  const [previous, streamId, model] = [value('previous_response_id'), value('stream_id'), value('model')];
  return {
    kind: 'create',
    members: members
      .filter(({ name }) => !OF_EVENT.includes(name))
      .map(({ name, start, end }) => writtenMember(name, bytes.subarray(start, end))),
    input: items,
    written,
    generates: value('generate') !== false,
    model: typeof model === 'string' ? model : '',
    isStored: value('store') !== false,
    ...(typeof previous === 'string' && { previousResponseId: previous }),
    ...(typeof streamId === 'string' && { streamId }),
  };
}

function unknownType(type: unknown): ClientEvent {
  const message = `The event type ${JSON.stringify(type) ?? 'is missing; it'} is not supported. Send "response.create".`;
  return invalid(message, 'type');
}

function invalid(message: string, param: string): ClientEvent {
  return { kind: 'invalid', code: 'invalid_value', message, param };
}

const EMPTY_LIST = Buffer.from('[]');

/**
 * Returns the body of the same request over HTTP.
 * @param input the whole value.
 */
export function bodyOf({ members }: CreateEvent, input: Buffer, previousResponseId: string | undefined): Buffer {
  const whole = [
    ...members,
    ...(previousResponseId === undefined
      ? []
      : [writtenMember('previous_response_id', JSON.stringify(previousResponseId))]),
    writtenMember('input', input),
    writtenMember('stream', 'true'),
  ];
  return Buffer.concat([Buffer.from('{'), joinItems(...whole), Buffer.from('}')]);
}
