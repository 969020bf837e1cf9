import { type ComponentChildren, Fragment, h } from 'preact';

/** Longer than any word that is written by hand. */
const LONG_WORD = /\S{500}/;
const PIECES = /[\s\S]{1,100}/gu;

/**
 * The text, with places to break the line in words of hundreds of characters: browsers look for such places in a word again
 * for each line of it, which takes seconds for some thousand backslashes. Nothing of it is copied with the text.
 */
export function breakable(text: string): ComponentChildren {
  if (!LONG_WORD.test(text)) return text;
  return text.match(PIECES)?.map((piece, index) => h(Fragment, { key: index }, piece, h('wbr', null)));
}
