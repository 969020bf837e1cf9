import type { MarkedToken, Token } from 'marked';
import { type ComponentChildren, createElement } from 'preact';
import { FileLink, withFileLinks } from './fileLink.tsx';
import { pathOf } from './filePaths.ts';
import { FootnoteReference } from './footnotes.tsx';
import { areManyTags, isMarkup } from './htmlTags.ts';
import { safeHref } from './links.ts';
import { breakable } from './longWords.ts';
import { Formula } from './math/formula.tsx';
import { inlineHtml } from './safeHtml.ts';
import type { FootnoteReferenceToken, MathToken } from './syntax.ts';

const SCHEME = /^[a-z][a-z\d+.-]*:/i;

interface ContentProps {
  readonly element: 'p' | 'span' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'th' | 'td';
  readonly class?: string | undefined;
  readonly tokens: readonly Token[];
}

/**
 * An element with inline tokens. They are rendered as elements, not as an HTML string. Only if they contain HTML
 * markup, all of them are sanitized together by DOMPurify, because opening and closing tags are separate tokens.
 */
export function Content({ element, tokens, ...rest }: ContentProps) {
  // Each block has the direction of its own first letter, because answers mix scripts.
  const block = element === 'span' ? rest : { ...rest, dir: 'auto' };
  if (areManyTags(tokens)) return createElement(element, block, inline(tokens.map(tagAsText)));
  if (tokens.some(({ type, raw }) => type === 'html' && isMarkup(raw))) {
    return createElement(element, { ...block, dangerouslySetInnerHTML: { __html: inlineHtml(textTags(tokens)) } });
  }
  return createElement(element, block, inline(tokens));
}

function tagAsText(token: Token): Token {
  return token.type === 'html' ? asText(token) : token;
}

function asText({ raw }: Token): Token {
  return { type: 'text', raw, text: raw, escaped: false };
}

/** Text that is not markup, and tokens that only elements can render, are escaped before the string is built. */
function textTags(tokens: readonly Token[]): readonly Token[] {
  return tokens.map((token) =>
    (token.type === 'html' && !isMarkup(token.raw)) || token.type === 'math' || token.type === 'footnoteReference'
      ? asText(token)
      : token,
  );
}

function inline(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token, index) => inlineToken(token as InlineToken, index));
}

type InlineToken = MarkedToken | MathToken | FootnoteReferenceToken;

function inlineToken(token: InlineToken, key: number): ComponentChildren {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? withFileLinks(resolveEntities(token.text)) : inline(token.tokens);
    case 'escape':
      return token.text;
    case 'html':
      return isMarkup(token.raw) ? null : token.raw;
    case 'strong':
      return <strong key={key}>{inline(token.tokens)}</strong>;
    case 'em':
      return <em key={key}>{inline(token.tokens)}</em>;
    case 'del':
      return <del key={key}>{inline(token.tokens)}</del>;
    case 'codespan':
      return <InlineCode key={key} text={token.text} />;
    case 'br':
      return <br key={key} />;
    case 'link':
      return link(key, token.href, token.title ?? undefined, inline(token.tokens));
    case 'image':
      return link(key, token.href, token.title ?? undefined, token.text || token.href);
    case 'math':
      return <Formula key={key} tex={token.text} source={token.raw} display={token.display} />;
    case 'footnoteReference':
      return <FootnoteReference key={key} token={token} />;
    default:
      return null;
  }
}

/** Inline code. If it is the path of a file, it becomes a link. */
function InlineCode({ text }: { readonly text: string }) {
  const code = <code>{breakable(text)}</code>;
  const file = pathOf(text);
  return file === undefined ? code : <FileLink file={file}>{code}</FileLink>;
}

/** Returns a link. Addresses without a scheme are file paths or not links. */
function link(key: number, href: string, title: string | undefined, children: ComponentChildren) {
  const safe = safeHref(href);
  if (safe !== undefined && !SCHEME.test(safe)) {
    const file = pathOf(decoded(safe));
    const content = <span>{children}</span>;
    return file === undefined ? (
      <span key={key}>{children}</span>
    ) : (
      <FileLink key={key} file={file}>
        {content}
      </FileLink>
    );
  }
  if (safe === undefined) return <span key={key}>{children}</span>;
  return (
    <a key={key} href={safe} title={title ?? safe}>
      {children}
    </a>
  );
}

/** Returns the decoded address, or the address itself if its encoding is invalid. */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

/** Resolves the character references in the text of a Markdown token: `&lt;` becomes `<`. */
function resolveEntities(text: string): string {
  return text.includes('&') ? text.replace(REFERENCE, resolve) : text;
}

/** Each reference is resolved once, because a text may consist of nothing but references. */
const known = new Map<string, string>();
const MAX_KNOWN = 10_000;

function resolve(reference: string): string {
  const resolved = known.get(reference) ?? asTheBrowserDoes(reference);
  if (known.size < MAX_KNOWN) known.set(reference, resolved);
  return resolved;
}

/** Lets the browser resolve the name. The pattern above accepts nothing but a reference. */
function asTheBrowserDoes(reference: string): string {
  const field = document.createElement('textarea');
  field.innerHTML = reference;
  return field.value;
}
