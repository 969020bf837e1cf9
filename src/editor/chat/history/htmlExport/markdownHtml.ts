import { Marked, type Tokens } from 'marked';

const SAFE_LINK = /^(?:https?:|mailto:)/i;

/**
 * Converts an answer's Markdown to HTML in which no markup comes from the answer: raw HTML is shown as text, and
 * nothing is loaded.
 */
export function markdownHtml(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    link({ href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens);
      return SAFE_LINK.test(href) ? `<a href="${escapeHtml(href)}" rel="noreferrer noopener">${text}</a>` : text;
    },
    image: ({ text, href }: Tokens.Image) => escapeHtml(text === '' ? href : text),
  },
});
