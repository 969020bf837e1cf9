/**
 * The HTML tags that are drawn as such. All others are shown as text, since in an answer about code `Promise<Token>`
 * is no tag, and leaving it out would change what is said.
 */
export const ALLOWED_TAGS: ReadonlySet<string> = new Set([
  ...['a', 'abbr', 'b', 'br', 'code', 'del', 'em', 'i', 'ins', 'kbd', 'mark', 'q', 's', 'samp', 'small', 'span'],
  ...['strong', 'sub', 'sup', 'u', 'var', 'blockquote', 'dd', 'details', 'div', 'dl', 'dt', 'hr', 'li', 'ol', 'p'],
  ...['pre', 'summary', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'ul'],
]);

const COMMENT = /^\s*<!--/;
const TAG = /^\s*<\/?([a-z][\w-]*)/i;

/** Whether raw HTML is markup that is drawn (or a comment, which draws nothing) rather than text. */
export function isMarkup(html: string): boolean {
  const tag = TAG.exec(html)?.[1]?.toLowerCase();
  return tag === undefined ? COMMENT.test(html) : ALLOWED_TAGS.has(tag);
}
