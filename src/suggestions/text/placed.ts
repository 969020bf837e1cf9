import { unitOf } from './indentation.ts';
import { indentOf, linePrefix, lineSuffix } from './place.ts';
import { depthAfter, limitsOf, ONLY_CLOSERS, type Shape, type Spot } from './spot.ts';
import { CLOSERS, type Mark, scan } from './syntax.ts';

/** Text to show at a cursor. */
export interface InlineSuggestion {
  readonly text: string;
  /**
   * How many characters after the cursor the text replaces. They are closing brackets that the text contains, too.
   */
  readonly replaced: number;
}

/** Fits the text to what is after the cursor on its line. */
export function placed(text: string, place: Spot, shape: Shape): InlineSuggestion | undefined {
  const suffix = lineSuffix(place);
  if (text.trim() === '') return undefined;
  const suggestion =
    shape === 'line' && !ONLY_CLOSERS.test(suffix) ? inLine(text, suffix, place) : beforeClosers(text, place, shape);
  if (suggestion === undefined || suggestion.text.trim() === '' || suggestion.text === suffix) return undefined;
  return suggestion;
}

/** Removes what the text repeats of the rest of the line. */
function inLine(text: string, suffix: string, place: Spot): InlineSuggestion | undefined {
  const rest = suffix.trim();
  const whole = text.indexOf(rest);
  let cut = whole === -1 ? text : text.slice(0, whole);
  for (let length = Math.min(rest.length, text.length); whole === -1 && length > 0; length -= 1) {
    if (!text.endsWith(rest.slice(0, length))) continue;
    cut = text.slice(0, -length);
    break;
  }
  const kept = upToExtraCloser(cut, place);
  return depthAfter(kept, place) === 0 ? { text: kept, replaced: 0 } : undefined;
}

/** The text before the first bracket that it did not open. */
function upToExtraCloser(text: string, place: Spot): string {
  const extra = firstExtra(text, place);
  return extra === undefined ? text : text.slice(0, extra.at - place.context.length);
}

function firstExtra(text: string, { context, languageId }: Spot): Mark | undefined {
  let depth = 0;
  for (const mark of scan(context + text, languageId, context.length).marks) {
    depth += mark.kind === 'open' ? 1 : -1;
    if (depth < 0) return mark;
  }
  return undefined;
}

/** After the cursor, there are at most closing brackets, which the text may contain, too. */
function beforeClosers(text: string, place: Spot, shape: Shape): InlineSuggestion | undefined {
  const suffix = lineSuffix(place).trimEnd();
  if (suffix.trim() === '') return { text: closed(opened(text, place, shape), place, shape), replaced: suffix.length };
  const extra = firstExtra(text, place);
  const tail = extra && text.slice(extra.at - place.context.length);
  if (tail?.startsWith(suffix.trim())) return { text, replaced: suffix.length };
  const kept = (tail === undefined ? text : upToExtraCloser(text, place)).trimEnd();
  if (!kept.includes('\n')) return { text: kept, replaced: 0 };
  // The closing bracket belongs on a line of its own.
  return { text: `${kept}\n${indentOf(linePrefix(place))}`, replaced: 0 };
}

/** Closes the bracket before the cursor, if neither the text nor the document does. */
function closed(text: string, place: Spot, shape: Shape): string {
  const prefix = linePrefix(place);
  const closer = CLOSERS[prefix.trimEnd().at(-1) ?? ''];
  if (shape !== 'block' || closer === undefined || depthAfter(text, place) < 0) return text;
  if (limitsOf(place, text.split('\n')).isClosed) return text;
  return text.includes('\n') ? `${text}\n${indentOf(prefix)}${closer}` : `${text}${closer}`;
}

/** Puts a block that the text writes behind its opening bracket on lines of its own. */
function opened(text: string, place: Spot, shape: Shape): string {
  const prefix = linePrefix(place);
  const isBehindOpener = shape === 'block' && /[{:]\s*$/.test(prefix);
  if (
    !isBehindOpener ||
    text.startsWith('\n') ||
    !text.includes('\n') ||
    firstExtra(text.split('\n', 1)[0] ?? '', place)
  )
    return text;
  const second = text.split('\n').find((line, index) => index > 0 && line.trim() !== '') ?? '';
  const unit = unitOf(`${place.before}\n${place.after}`) ?? place.indentUnit ?? '  ';
  const indent = indentOf(second).length > indentOf(prefix).length ? indentOf(second) : indentOf(prefix) + unit;
  return `\n${indent}${text.trimStart()}`;
}
