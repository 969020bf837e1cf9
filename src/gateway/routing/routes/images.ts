/** The images in a request. They are read from the bytes of its body: most members are skipped, and none is parsed. */
import { cursorOf, JsonCursor } from '../../http/jsonCursor.ts';
import { WordSearch } from '../../http/wordSearch.ts';

export interface Images {
  readonly count: number;
  /** Size of the image parts in the body. */
  readonly bytes: number;
}

export interface ImagesUntil extends Images {
  /** Position in the body after the message. */
  readonly end: number;
}

interface Walk {
  readonly cursor: JsonCursor;
  count: number;
  bytes: number;
  readonly onMessage: (until: ImagesUntil) => void;
}

/** Types of image parts in the three formats. */
const IMAGE_TYPES: ReadonlySet<string | undefined> = new Set(['image', 'image_url', 'input_image']);
/** Part of the types of image parts: `image`, `image_url`, and `input_image`. */
const IMAGE = new WordSearch('image');
const BEFORE_IMAGE = /"(?:input_)?$/;
const BEHIND_IMAGE = /^(?:_url)?"/;
/** A tool result in a message is nested five levels deep. */
const MAX_DEPTH = 16;

/**
 * Whether the type of an image part is anywhere in the body, even in a text. A search is enough for most requests.
 * @param from where the search begins.
 */
export function hasImageType(body: Buffer, from = 0): boolean {
  const text = (start: number, end: number) => body.toString('latin1', Math.max(0, start), end);
  return IMAGE.isIn(
    from === 0 ? body : body.subarray(from),
    (start, end) =>
      BEFORE_IMAGE.test(text(from + start - 7, from + start)) && BEHIND_IMAGE.test(text(from + end, from + end + 5)),
  );
}

/**
 * Reads only the conversation, because tool schemas can have members with the same names.
 * @param known the images up to a message of the conversation, which are not read again.
 * @param onMessage called after each message of an array.
 */
export function imagesIn(
  body: Buffer,
  known?: ImagesUntil,
  onMessage: (until: ImagesUntil) => void = () => undefined,
): Images {
  const { count = 0, bytes = 0 } = known ?? {};
  const walk: Walk = { cursor: known ? new JsonCursor(body, known.end) : cursorOf(body), count, bytes, onMessage };
  const { cursor } = walk;
  const readMember = (member: string) => {
    if (member !== 'messages' && member !== 'input') return;
    if (cursor.kind === 'array') cursor.array(() => readMessage(walk));
    else readContent(walk, 0);
    stopWithoutMore(cursor);
  };
  if (known === undefined) cursor.object(readMember);
  else {
    cursor.restOfArray(() => readMessage(walk));
    stopWithoutMore(cursor);
    cursor.restOfObject(readMember);
  }
  return { count: walk.count, bytes: walk.bytes };
}

/** Visiting the tools, which mostly come after the conversation, takes longer than searching them. */
function stopWithoutMore(cursor: JsonCursor): void {
  if (!hasImageType(cursor.bytes, cursor.at)) cursor.stop();
}

function readMessage(walk: Walk): void {
  readContent(walk, 1);
  const { cursor, count, bytes, onMessage } = walk;
  onMessage({ end: cursor.at, count, bytes });
}

function readContent(walk: Walk, depth: number): void {
  if (depth > MAX_DEPTH) return;
  const { cursor } = walk;
  if (cursor.kind === 'array') {
    cursor.array(() => readContent(walk, depth + 1));
    return;
  }
  const start = cursor.at;
  let type: string | undefined;
  cursor.object((member) => {
    if (member === 'type') type = cursor.text();
    else if (member === 'content' || member === 'output') readContent(walk, depth + 1);
  });
  if (!IMAGE_TYPES.has(type)) return;
  walk.count += 1;
  walk.bytes += cursor.at - start;
}
