import { OPENS_BLOCK } from './indentation.ts';
import { type CursorContext, indentOf, linePrefix, lineSuffix } from './place.ts';
import { ALL_CLOSERS, scan } from './syntax.ts';

/** A place with the end of the text before the cursor from which brackets are counted: mostly its line. */
export interface Spot extends CursorContext {
  readonly context: string;
}

/** What fits at a place. `line`: one line. `statement`: the line, and more while a bracket is open. `block`: a block. */
export type Shape = 'line' | 'statement' | 'block';

/** An automatically closed bracket, a quote, and what follows them at the end of a statement. */
export const ONLY_CLOSERS = /^[)\]}"'`;,:\s]*$/;
export function shapeOf(place: CursorContext): Shape {
  const { ends } = scan(place.before, place.languageId);
  if (ends !== 'code' || !ONLY_CLOSERS.test(lineSuffix(place))) return 'line';
  const prefix = linePrefix(place);
  return prefix.trim() === '' || OPENS_BLOCK.test(prefix) ? 'block' : 'statement';
}

export interface BlockLimits {
  /** The indentation of the block's lines, in characters. */
  readonly base: number;
  /** Whether the block's closing bracket is in the document already. */
  readonly isClosed: boolean;
}

export function limitsOf(place: CursorContext, lines: readonly string[]): BlockLimits {
  const prefix = linePrefix(place);
  const isBlank = prefix.trim() === '';
  const inner = lines.find((line, index) => (index > 0 || isBlank) && line.trim() !== '') ?? '';
  const base = isBlank ? prefix.length : Math.max(indentOf(prefix).length + 1, indentOf(inner).length);
  const next = place.after
    .split('\n')
    .slice(1)
    .find((line) => line.trim() !== '');
  return { base, isClosed: ALL_CLOSERS.has(lineSuffix(place).trim().charAt(0)) || isClosedBy(next, base, place) };
}

/** Whether the next line that is not blank closes the block, or belongs to it, so that it is closed further down. */
function isClosedBy(next: string | undefined, base: number, place: CursorContext): boolean {
  if (next === undefined) return false;
  const indent = indentOf(next).length;
  const prefix = linePrefix(place);
  if (ALL_CLOSERS.has(next.trim().charAt(0)) && indent < base) return true;
  return prefix.trim() !== '' && indent > indentOf(prefix).length;
}

/** How many brackets are open after each line; negative from where one from before the cursor is closed. */
export function depthsOf(lines: readonly string[], { context, languageId }: Spot): number[] {
  const { marks } = scan(context + lines.join('\n'), languageId, context.length);
  let [depth, lowest, next, end] = [0, 0, 0, context.length];
  return lines.map((line) => {
    end += line.length + 1;
    for (let mark = marks[next]; mark !== undefined && mark.at < end; mark = marks[next]) {
      depth += mark.kind === 'open' ? 1 : -1;
      lowest = Math.min(lowest, depth);
      next += 1;
    }
    return lowest < 0 ? lowest : depth;
  });
}

export function depthAfter(text: string, place: Spot): number {
  return depthsOf([text], place)[0] ?? 0;
}
