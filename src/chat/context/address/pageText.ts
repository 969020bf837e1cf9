import { convert, type HtmlToTextOptions } from 'html-to-text';

const SKIPPED = ['nav', 'form', 'img', 'svg', 'noscript', 'template', 'button', 'iframe'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  // Everything around the main element is navigation.
  baseElements: { selectors: ['main'], returnDomByDefault: true },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'table', format: 'dataTable' },
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
  ],
};

/** Returns the title of an HTML page; empty without one. */
export function pageTitle(html: string): string {
  const title = /<title\b[^>]*>([^<]*)</i.exec(html)?.[1] ?? '';
  return convert(title, { wordwrap: false }).replace(/\s+/g, ' ').trim();
}

/** Returns the text of an HTML page, without scripts, images, and navigation. */
export function pageText(html: string): string {
  return convert(html, OPTIONS)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
