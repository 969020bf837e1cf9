import { modelName } from '../core/modelName.ts';
import type { Endpoint, UpstreamRequest } from '../core/upstream.ts';
import { JsonCursor, type JsonKind } from '../http/jsonCursor.ts';
import type { AddedMember } from './repairs/experiments.ts';

/**
 * Models that need marks for caching in the chat-completions format, too. Others cache automatically, and some servers
 * refuse marks.
 */
const MARKED_MODELS = /claude|anthropic/i;

export const CACHE_MARKS: AddedMember = {
  endpoints: ['/messages', '/chat/completions'] satisfies Endpoint[],
  members: ['cache_control'],
  addsToStreams: false,
  addsToTranslated: true,
  add: (request) => withBody(request, markedBody(request)),
};

/** Adds the key with which a service of the responses format finds the session's cache. */
export const CACHE_KEY: AddedMember = {
  endpoints: ['/responses'],
  members: ['prompt_cache_key'],
  addsToStreams: false,
  addsToTranslated: true,
  add: (request) => withBody(request, keyedBody(request)),
};

function markedBody({ endpoint, body }: UpstreamRequest): Buffer | undefined {
  if (body === undefined) return undefined;
  if (endpoint === '/messages') return markedMessages(body);
  return MARKED_MODELS.test(modelName(body) ?? '') ? markedChatCompletions(body) : undefined;
}

function keyedBody({ body, session }: UpstreamRequest): Buffer | undefined {
  const sessionId = session?.ids?.sessionId;
  return body === undefined || sessionId === undefined ? undefined : keyedResponses(body, sessionId);
}

function withBody({ json: _, ...request }: UpstreamRequest, body: Buffer | undefined): UpstreamRequest | undefined {
  return body && { ...request, body };
}

const MARK = '"cache_control":{"type":"ephemeral"}';
/** A client that sends one of these controls the cache itself. */
const OWN_MARKS = ['"cache_control"', '"prompt_cache_breakpoint"', '"prompt_cache_options"'];
const KEY_MEMBER = '"prompt_cache_key"';

interface Insertion {
  readonly at: number;
  readonly text: string;
}

interface MarkPosition {
  readonly kind: JsonKind;
  readonly start: number;
  readonly end: number;
  /** For an array: its last element that is an object. */
  readonly last?: MarkPosition;
}

/**
 * Adds two cache marks to a request in the messages format: one on the last system prompt, or else on the last tool,
 * and one on the whole request, which services apply to its last block. All other bytes stay unchanged.
 * @returns undefined if the client sets marks itself or the body is not an object.
 */
export function markedMessages(body: Buffer): Buffer | undefined {
  if (hasOwnMarks(body)) return undefined;
  const { places, closedAt } = topLevel(body);
  if (closedAt === undefined || places.size === 0) return undefined;
  const head = marksOn(body, places.get('system'));
  const marks = head.length > 0 ? head : marksOn(body, places.get('tools'));
  return spliced(body, [...marks, { at: closedAt, text: `,${MARK}` }]);
}

/**
 * Adds cache marks to a request in the chat-completions format, in which some servers accept them for models that need
 * them: on the last of the leading system messages, and on the last message of the user or of a tool.
 */
export function markedChatCompletions(body: Buffer): Buffer | undefined {
  if (hasOwnMarks(body)) return undefined;
  const contents = messageContents(body);
  const firstTurn = contents.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const head = contents.slice(0, firstTurn === -1 ? contents.length : firstTurn).at(-1);
  const tail = contents.slice(Math.max(firstTurn, 0)).findLast(({ role }) => role === 'user' || role === 'tool');
  const marks = [head, tail].flatMap((message) => marksOn(body, message?.content));
  return marks.length === 0 ? undefined : spliced(body, marks);
}

/** Adds a key to a request in the responses format, with which the service finds the session's cache. */
export function keyedResponses(body: Buffer, sessionId: string): Buffer | undefined {
  if (body.includes(KEY_MEMBER)) return undefined;
  const { places, closedAt } = topLevel(body);
  if (closedAt === undefined || places.size === 0) return undefined;
  return spliced(body, [{ at: closedAt, text: `,${KEY_MEMBER}:${JSON.stringify(sessionId)}` }]);
}

function hasOwnMarks(bytes: Buffer): boolean {
  return OWN_MARKS.some((mark) => bytes.includes(mark));
}

const HEADS: ReadonlySet<string> = new Set(['system', 'tools']);

function topLevel(bytes: Buffer): { places: Map<string, MarkPosition>; closedAt: number | undefined } {
  const cursor = new JsonCursor(bytes);
  const places = new Map<string, MarkPosition>();
  if (cursor.kind !== 'object') return { places, closedAt: undefined };
  cursor.object((name) => places.set(name, HEADS.has(name) ? placeOf(cursor) : skipped(cursor)));
  return { places, closedAt: bytes[cursor.at - 1] === CLOSING_BRACE ? cursor.at - 1 : undefined };
}

function messageContents(bytes: Buffer): { role: string; content: MarkPosition }[] {
  const cursor = new JsonCursor(bytes);
  const found: { role: string; content: MarkPosition }[] = [];
  cursor.object((name) => {
    if (name !== 'messages') return;
    cursor.array(() => {
      let role = '';
      let content: MarkPosition | undefined;
      cursor.object((member) => {
        if (member === 'role') role = cursor.text() ?? '';
        else if (member === 'content') content = placeOf(cursor);
      });
      if (content !== undefined) found.push({ role, content });
    });
  });
  return found;
}

function placeOf(cursor: JsonCursor): MarkPosition {
  const { kind, at: start } = cursor;
  let last: MarkPosition | undefined;
  cursor.array(() => {
    const element = skipped(cursor);
    if (element.kind === 'object') last = element;
  });
  return { kind, start, end: cursor.at, ...(last !== undefined && { last }) };
}

function skipped(cursor: JsonCursor): MarkPosition {
  const { kind, at: start } = cursor;
  cursor.skip();
  return { kind, start, end: cursor.at };
}

const CLOSING_BRACE = 0x7d;
const EMPTY_STRING_LENGTH = 2;
const EMPTY_TEXT = /"text"\s*:\s*""/;

/** Converts a string to an array with one marked text. Services refuse marks on empty texts and on reasoning. */
function marksOn(bytes: Buffer, place: MarkPosition | undefined): Insertion[] {
  if (place?.kind === 'string') {
    if (place.end - place.start <= EMPTY_STRING_LENGTH) return [];
    return [
      { at: place.start, text: '[{"type":"text","text":' },
      { at: place.end, text: `,${MARK}}]` },
    ];
  }
  const { last } = place ?? {};
  if (last === undefined || EMPTY_TEXT.test(bytes.toString('latin1', last.start, last.end))) return [];
  return [{ at: last.end - 1, text: `,${MARK}` }];
}

function spliced(bytes: Buffer, insertions: readonly Insertion[]): Buffer {
  const ordered = insertions.toSorted((one, other) => one.at - other.at);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { at, text } of ordered) {
    pieces.push(bytes.subarray(from, at), Buffer.from(text));
    from = at;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}
