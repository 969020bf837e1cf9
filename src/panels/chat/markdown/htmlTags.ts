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

/**
 * Blocks with more tags are shown as text. They are sanitized again with each piece of an answer that arrives, which takes
 * seconds for thousands of nested tags.
 */
const MAX_TAGS = 1000;

/** Whether raw HTML is rendered as markup (or is a comment, which renders nothing) rather than shown as text. */
export function isMarkup(html: string): boolean {
  if (hasManyTags(html)) return false;
  const tag = TAG.exec(html)?.[1]?.toLowerCase();
  return tag === undefined ? COMMENT.test(html) : ALLOWED_TAGS.has(tag);
}

function hasManyTags(html: string): boolean {
  let at = -1;
  for (let tags = 0; tags <= MAX_TAGS; tags += 1) {
    at = html.indexOf('<', at + 1);
    if (at === -1) return false;
  }
  return true;
}

/** Whether tags between the words of a line or paragraph are too many to be rendered. Each is a token. */
export function areManyTags(tokens: readonly { readonly type: string }[]): boolean {
  return tokens.length > MAX_TAGS && tokens.filter(({ type }) => type === 'html').length > MAX_TAGS;
}
