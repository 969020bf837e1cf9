/** Sanitizes HTML in Markdown. */
import DOMPurify from 'dompurify';
import { Parser, Renderer, type Token, type Tokens } from 'marked';
import { ALLOWED_TAGS } from './htmlTags.ts';
import { safeHref } from './links.ts';

/** Images are not loaded, so they become links. */
class PanelRenderer extends Renderer {
  override image({ href, text }: Tokens.Image): string {
    const link = document.createElement('a');
    link.href = href;
    link.textContent = text || href;
    return link.outerHTML;
  }
}

const renderer = new PanelRenderer();

/** Returns sanitized HTML of inline tokens. */
export function inlineHtml(tokens: readonly Token[]): string {
  return sanitized(Parser.parseInline([...tokens], { renderer }));
}

export function sanitized(html: string): string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...ALLOWED_TAGS],
    ALLOWED_ATTR: ['href', 'title', 'open', 'colspan', 'rowspan', 'start', 'dir', 'lang'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}

DOMPurify.addHook('afterSanitizeAttributes', (element) => {
  const href = element.getAttribute('href');
  if (href !== null && safeHref(href) === undefined) element.removeAttribute('href');
});
