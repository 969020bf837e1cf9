import { type ComponentChildren, Fragment, h } from 'preact';

/** No word written by hand is this long. */
const LONG_WORD = /\S{500}/;
const PIECES = /[\s\S]{1,100}/gu;

/**
 * Returns the text with line break opportunities in words of hundreds of characters. Without them, browsers search such
 * a word for a break again for each of its lines, which takes seconds for a few thousand backslashes. Copied text does
 * not contain them.
 */
export function breakable(text: string): ComponentChildren {
  if (!LONG_WORD.test(text)) return text;
  return text.match(PIECES)?.map((piece, index) => h(Fragment, { key: index }, piece, h('wbr', null)));
}
