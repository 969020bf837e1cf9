/**
 * The facts about a request's body that rules depend on. They are read from its bytes: most members are skipped, and
 * none is parsed.
 */
import { JsonCursor } from '../../http/jsonCursor.ts';

/** A tool that a request offers. */
export interface OfferedTool {
  /** Name of a function. */
  readonly name: string | undefined;
  /** Type of a hosted tool, such as `web_search_20250305`. */
  readonly type: string | undefined;
}

/** The images in a conversation. */
export interface Images {
  readonly count: number;
  /** Size of the image parts in the body. */
  readonly bytes: number;
}

/** Types of image parts in the three formats. */
const IMAGE_TYPES: ReadonlySet<string | undefined> = new Set(['image', 'image_url', 'input_image']);
/** A tool result in a message is nested five levels deep. */
const MAX_DEPTH = 16;
const BYTE_ORDER_MARK = 0xef;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

export function toolsIn(body: Buffer): readonly OfferedTool[] {
  const late = lateToolsIn(body);
  if (late !== undefined) return late;
  let tools: readonly OfferedTool[] = [];
  const cursor = cursorOf(body);
  cursor.object((member) => {
    if (member === 'tools') tools = toolsAt(cursor);
  });
  return tools;
}

const TOOLS = '"tools"';
/** The part after the tools is parsed, so it must be short. */
const MAX_REST = 4 * 1024;

/**
 * Reads the tools of a body that has them after the conversation, as most clients send them, without walking through
 * the conversation. They belong to the outermost object if the rest after them completes an object.
 * @returns `undefined` if the tools are elsewhere.
 */
function lateToolsIn(body: Buffer): readonly OfferedTool[] | undefined {
  const key = body.lastIndexOf(TOOLS);
  const colon = new JsonCursor(body, key + TOOLS.length);
  if (key < 1 || body[key - 1] === BACKSLASH || body[colon.at] !== COLON) return undefined;
  const cursor = new JsonCursor(body, colon.at + 1);
  const tools = toolsAt(cursor);
  const isShort = body.length - cursor.at <= MAX_REST;
  return isShort && completesObject(body.toString('utf8', cursor.at)) ? tools : undefined;
}

function completesObject(rest: string): boolean {
  try {
    JSON.parse(`{"":0${rest}`);
    return true;
  } catch {
    return false;
  }
}

function toolsAt(cursor: JsonCursor): readonly OfferedTool[] {
  const tools: OfferedTool[] = [];
  cursor.array(() => tools.push(toolAt(cursor)));
  return tools;
}

/** Reads only the conversation, because tool schemas can have members with the same names. */
export function imagesIn(body: Buffer): Images {
  const found = { count: 0, bytes: 0 };
  const cursor = cursorOf(body);
  cursor.object((member) => {
    if (member === 'messages' || member === 'input') readContent(cursor, found, 0);
  });
  return found;
}

function cursorOf(body: Buffer): JsonCursor {
  return new JsonCursor(body, body[0] === BYTE_ORDER_MARK ? 3 : 0);
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

function readContent(cursor: JsonCursor, found: { count: number; bytes: number }, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (cursor.kind === 'array') {
    cursor.array(() => readContent(cursor, found, depth + 1));
    return;
  }
  const start = cursor.at;
  let type: string | undefined;
  cursor.object((member) => {
    if (member === 'type') type = cursor.text();
    else if (member === 'content' || member === 'output') readContent(cursor, found, depth + 1);
  });
  if (!IMAGE_TYPES.has(type)) return;
  found.count += 1;
  found.bytes += cursor.at - start;
}
