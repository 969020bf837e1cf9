const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;

/** Number of characters that are checked. A text without a letter in them counts as left-to-right. */
const LOOKED_AT = 1000;

/**
 * Returns the direction of the first letter that is not in code. For blocks that contain blocks, because `dir="auto"`
 * ignores elements that have a direction of their own.
 */
export function directionOf(markdown: string): 'ltr' | 'rtl' {
  const letter = LETTER.exec(markdown.slice(0, LOOKED_AT).replace(/(`+)[\s\S]*?\1/g, ''))?.[0];
  return letter !== undefined && RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
