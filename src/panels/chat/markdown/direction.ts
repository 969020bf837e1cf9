const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;

/** Characters that are checked: a text without a letter among so many has no script of its own. */
const LOOKED_AT = 1000;

/**
 * The direction of the first letter of Markdown that is not in code. For blocks of blocks: `dir="auto"` passes over
 * what is in elements with a direction of their own.
 */
export function directionOf(markdown: string): 'ltr' | 'rtl' {
  const letter = LETTER.exec(markdown.slice(0, LOOKED_AT).replace(/(`+)[\s\S]*?\1/g, ''))?.[0];
  return letter !== undefined && RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
