import { type CursorContext, linePrefix, lineSuffix } from './place.ts';
import { isProse, scan } from './syntax.ts';

export interface OccasionRules {
  /** Whether suggestions are wanted in comments. */
  readonly inComments: boolean;
}

/**
 * How soon a person wants a suggestion. `now`: after a line break or an opening bracket. `soon`: between words. `later`: in
 * a word.
 */
export type Urgency = 'now' | 'soon' | 'later';

const WORD = /[\p{L}\p{N}_]/u;
/** Nothing belongs behind these on the same line. */
const END_OF_STATEMENT = /[;}]\s*$/;

/** Returns how soon to ask for a suggestion at the place; undefined if none is asked for there. */
export function urgencyAt(place: CursorContext, { inComments }: OccasionRules): Urgency | undefined {
  const [prefix, suffix] = [linePrefix(place), lineSuffix(place)];
  if (WORD.test(suffix.charAt(0))) return undefined;
  if (isEmpty(place) || (END_OF_STATEMENT.test(prefix) && suffix.trim() === '')) return undefined;
  if (!inComments && !isProse(place.languageId) && isInComment(place)) return undefined;
  if (prefix.trim() === '' || /[([{:]$|=>\s?$/.test(prefix)) return 'now';
  return WORD.test(prefix.at(-1) ?? '') ? 'later' : 'soon';
}

/** Without any text, a model can only guess. */
function isEmpty({ before, after }: CursorContext): boolean {
  return before.trim() === '' && after.trim() === '';
}

function isInComment({ before, languageId }: CursorContext): boolean {
  // The line matters if the text before it begins in the middle of a comment or a string.
  const line = linePrefix({ before }).trimStart();
  return scan(before, languageId).ends === 'comment' || /^(?:\/\/|\/?\*+(?:\s|$)|<!--)/.test(line);
}
