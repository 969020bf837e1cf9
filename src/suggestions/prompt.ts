import type { ChatRequest } from '../formats/conversation.ts';
import { CLOSE_TAG, OPEN_TAG } from './text/answerText.ts';
import type { CursorContext } from './text/place.ts';
import { type Shape, shapeOf } from './text/spot.ts';

/** Text of another file, or of another part of the file. */
export interface RelatedText {
  readonly path: string;
  readonly text: string;
}

/** What is suggested for, with what a model may know about it. */
export interface Hole {
  readonly place: CursorContext;
  readonly related: readonly RelatedText[];
}

/** The longest answer that can be shown, in tokens, with some room for tags and fences. */
const MAX_TOKENS: Readonly<Record<Shape, number>> = { line: 80, statement: 200, block: 400 };

const INSTRUCTIONS = `You complete text at the cursor of an editor. The message has the file's path, text of related files, the text after the cursor, and the text before the cursor.
Write the text that belongs at the cursor, between ${OPEN_TAG} and ${CLOSE_TAG}. It begins directly behind the last character before the cursor, and ends directly before the first character after it.
Use the indentation and the style of the file. Do not repeat text that is before or after the cursor. Do not explain anything, and do not use a code fence.
Write one statement or one block at most. If nothing belongs there, write ${OPEN_TAG}${CLOSE_TAG}.`;

/** The tokens of the instructions and the tags around the texts, approximately. */
export const INSTRUCTION_TOKENS = 190;

/**
 * The text before the cursor is last, so that everything in front of it is the same from one key to the next. Services
 * that recognize an equal beginning, or a mark, then have to read only its end again. Without a mark of its own, the
 * messages format would get one behind the text that changes with each key, and pay for a cache that is never read.
 */
export function requestFor({ place, related }: Hole, model: string, canReason: boolean): ChatRequest {
  const { path, languageId, before, after } = place;
  const shape = shapeOf(place);
  const stable = [
    `File: ${path} (${languageId})`,
    ...related.map((each) => `<related path="${each.path}">\n${each.text}\n</related>`),
    `<after>${after}</after>`,
  ].join('\n');
  return {
    model,
    system: [{ type: 'text', text: INSTRUCTIONS }],
    messages: [
      {
        role: 'user',
        parts: [
          { type: 'text', text: stable, cacheHint: {} },
          { type: 'text', text: `<before>${before}</before>` },
        ],
      },
    ],
    maxTokens: MAX_TOKENS[shape],
    // A model that reasons first answers too late, and its reasoning would use up the tokens of the answer.
    ...(canReason && { reasoning: { effort: 'none' } }),
  };
}

export function maxTokensAt(place: CursorContext): number {
  return MAX_TOKENS[shapeOf(place)];
}
