/**
 * The HTML tags that are rendered as HTML. All others are shown as text, because in an answer about code
 * `Promise<Token>` is not a tag, and removing it would change the meaning.
 */
export const ALLOWED_TAGS: ReadonlySet<string> = new Set([
  ...['a', 'abbr', 'b', 'br', 'code', 'del', 'em', 'i', 'ins', 'kbd', 'mark', 'q', 's', 'samp', 'small', 'span'],
  ...['strong', 'sub', 'sup', 'u', 'var', 'blockquote', 'dd', 'details', 'div', 'dl', 'dt', 'hr', 'li', 'ol', 'p'],
  ...['pre', 'summary', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'ul'],
]);

const COMMENT = /^\s*<!--/;
const TAG = /^\s*<\/?([a-z][\w-]*)/i;

/** Whether raw HTML is rendered as markup (or is a comment, which renders nothing) rather than shown as text. */
export function isMarkup(html: string): boolean {
  const tag = TAG.exec(html)?.[1]?.toLowerCase();
  return tag === undefined ? COMMENT.test(html) : ALLOWED_TAGS.has(tag);
}
