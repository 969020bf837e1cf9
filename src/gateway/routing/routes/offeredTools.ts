/**
 * The tools that a request offers. They are read from the bytes of its body: the conversation is passed over, and none
 * of it is parsed.
 */
import { parseJson } from '../../../formats/json.ts';
import { cursorOf, JsonCursor } from '../../http/jsonCursor.ts';
import { BACKSLASH, COLON } from '../../http/jsonMeasure.ts';
import { WordSearch } from '../../http/wordSearch.ts';
import type { OfferedTool } from './routeTable.ts';

interface OfferedPart {
  readonly bytes: Buffer;
  /** Whether the body ends with the part. Otherwise, it begins with it. */
  readonly isLast: boolean;
  readonly tools: readonly OfferedTool[];
}

interface FoundTools {
  readonly tools: readonly OfferedTool[];
  /** The part of the body that alone decides which tools it offers. Undefined if the whole body does. */
  readonly part?: { readonly start: number; readonly end: number };
}

const TOOLS = '"tools"';
const ANYWHERE = new WordSearch(TOOLS);
const NO_TOOLS: FoundTools = { tools: [] };
/** The part after the tools is parsed, so it must be short. */
const MAX_REST = 4 * 1024;
const MAX_KNOWN = 16;
/** Limits the memory. A long list of tools has about 100 KB. */
const MAX_KNOWN_BYTES = 512 * 1024;
const CONVERSATIONS: ReadonlySet<string> = new Set(['messages', 'input']);

/**
 * Remembers the tools of the latest requests. Agents send the same tools in each request, mostly behind a conversation
 * that grows, so comparing the bytes is usually enough.
 */
export class OfferedTools {
  readonly #known: OfferedPart[] = [];

  of(body: Buffer): readonly OfferedTool[] {
    const at = this.#known.findIndex((part) => hasPart(body, part));
    const known = this.#known[at];
    if (known === undefined) return this.#read(body);
    if (at > 0) this.#toFront(known, at);
    return known.tools;
  }

  #read(body: Buffer): readonly OfferedTool[] {
    const { tools, part } = findTools(body);
    if (part === undefined || part.end - part.start > MAX_KNOWN_BYTES) return tools;
    // A copy, because the part would keep the whole body in memory.
    const bytes = Buffer.from(body.subarray(part.start, part.end));
    this.#known.unshift({ bytes, isLast: part.start > 0, tools });
    if (this.#known.length > MAX_KNOWN) this.#known.pop();
    return tools;
  }

  #toFront(part: OfferedPart, at: number): void {
    this.#known.splice(at, 1);
    this.#known.unshift(part);
  }
}

function hasPart(body: Buffer, { bytes, isLast }: OfferedPart): boolean {
  const start = isLast ? body.length - bytes.length : 0;
  if (start < 0 || start + bytes.length > body.length || body[start - 1] === BACKSLASH) return false;
  return body.compare(bytes, 0, bytes.length, start, start + bytes.length) === 0;
}

function findTools(body: Buffer): FoundTools {
  if (!ANYWHERE.isIn(body, () => true)) return NO_TOOLS;
  return toolsBefore(body) ?? toolsBehind(body) ?? { tools: toolsAnywhere(body) };
}

/** Reads the tools of a body that has them before the conversation. */
function toolsBefore(body: Buffer): FoundTools | undefined {
  let found: FoundTools | undefined;
  const cursor = cursorOf(body);
  cursor.object((member) => {
    if (member === 'tools') found = { tools: toolsAt(cursor), part: { start: 0, end: cursor.at } };
    if (member === 'tools' || CONVERSATIONS.has(member)) cursor.stop();
  });
  return found;
}

/**
 * Reads the tools of a body that has them after the conversation, as most clients send them. They belong to the
 * outermost object if the rest after them completes an object.
 */
function toolsBehind(body: Buffer): FoundTools | undefined {
  const start = body.lastIndexOf(TOOLS);
  const colon = new JsonCursor(body, start + TOOLS.length);
  if (start < 1 || body[start - 1] === BACKSLASH || body[colon.at] !== COLON) return undefined;
  const cursor = new JsonCursor(body, colon.at + 1);
  const tools = toolsAt(cursor);
  const isShort = body.length - cursor.at <= MAX_REST;
  if (!isShort || !completesObject(body.toString('utf8', cursor.at))) return undefined;
  return { tools, part: { start, end: body.length } };
}

function toolsAnywhere(body: Buffer): readonly OfferedTool[] {
  let tools: readonly OfferedTool[] = [];
  const cursor = cursorOf(body);
  cursor.object((member) => {
    if (member === 'tools') tools = toolsAt(cursor);
  });
  return tools;
}

function completesObject(rest: string): boolean {
  return parseJson(`{"":0${rest}`) !== undefined;
}

function toolsAt(cursor: JsonCursor): readonly OfferedTool[] {
  const tools: OfferedTool[] = [];
  cursor.array(() => tools.push(toolAt(cursor)));
  return tools;
}

/** In chat completions, the name is in a member object of the tool. */
function toolAt(cursor: JsonCursor): OfferedTool {
  let [name, type]: (string | undefined)[] = [];
  cursor.object((member) => {
    if (member === 'name') name = cursor.text();
    else if (member === 'type') type = cursor.text();
    else if (member === 'function') ({ name } = toolAt(cursor));
  });
  return { name, type };
}
