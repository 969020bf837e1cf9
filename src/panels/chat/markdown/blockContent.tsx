import * as l10n from '@vscode/l10n';
import type { MarkedToken, Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { Icon } from '../../shared/icon.tsx';
import { late } from '../../shared/late.ts';
import { type PlainToken, plainPieces } from './boundedLexer.ts';
import { CodeBlock } from './codeBlock.tsx';
import { codeInfo } from './codeInfo.ts';
import { directionOf } from './direction.ts';
import { isMarkup } from './htmlTags.ts';
import { Content } from './inlineContent.tsx';
import { breakable } from './longWords.ts';
import { Formula } from './math/formula.tsx';
import { sanitized } from './safeHtml.ts';
import { alertOf, type MathToken } from './syntax.ts';

/** Until it is loaded, a diagram is shown as code. */
const diagrams = late(async () => (await import('./diagram/diagram.tsx')).Diagram);

interface BlockContentProps {
  readonly token: Token;
  /** True if more of the block may arrive. */
  readonly growing: boolean;
  /** The source of the previous block. */
  readonly before?: string | undefined;
}

/** Renders one block token. */
export function BlockContent({ token, growing, before }: BlockContentProps) {
  const block = token as MarkedToken | MathToken | PlainToken;
  switch (block.type) {
    case 'code':
      if (!growing && codeInfo(block.lang ?? '').language === 'mermaid') {
        const Diagram = diagrams.current;
        if (Diagram !== undefined) return <Diagram source={block.text} />;
      }
      return <CodeBlock text={block.text} info={block.lang ?? ''} growing={growing} before={before} />;
    case 'heading':
      return <Content element={headingElement(block.depth)} tokens={block.tokens} />;
    case 'paragraph':
      return <Content element="p" tokens={block.tokens} />;
    case 'text':
      return <Content element="span" tokens={block.tokens ?? [block]} />;
    case 'blockquote': {
      const alert = alertOf(block);
      if (alert !== undefined) return <Alert kind={alert.kind}>{blocksOf(alert.tokens, growing)}</Alert>;
      return <blockquote dir={directionOf(block.raw)}>{blocksOf(block.tokens, growing)}</blockquote>;
    }
    case 'list':
      return <List list={block} growing={growing} />;
    case 'table':
      return <Table table={block} />;
    case 'plain':
      return <Plain text={block.text} />;
    case 'hr':
      return <hr />;
    case 'mathBlock':
      return (
        <p>
          <Formula tex={block.text} source={block.raw.trim()} display />
        </p>
      );
    case 'html':
      if (!isMarkup(block.text))
        return (
          <p class="raw" dir="auto">
            {block.text.trimEnd()}
          </p>
        );
      return <div dir="auto" dangerouslySetInnerHTML={{ __html: sanitized(block.text) }} />;
    default:
      return null;
  }
}

/** Returns the element of a heading, one level below the panel's own heading. */
function headingElement(depth: number) {
  return depth <= 1 ? 'h2' : depth === 2 ? 'h3' : depth === 3 ? 'h4' : depth === 4 ? 'h5' : 'h6';
}

function blocksOf(tokens: readonly Token[], growing: boolean) {
  return tokens.map((token, index) => (
    <BlockContent
      key={index}
      token={token}
      growing={growing && index === tokens.length - 1}
      before={textBefore(tokens, index)}
    />
  ));
}

/** Returns the source of the previous block. Blank lines between blocks are tokens too, and are skipped. */
function textBefore(tokens: readonly Token[], index: number): string | undefined {
  return tokens.slice(0, index).findLast(({ type }) => type !== 'space')?.raw;
}

function List({ list, growing }: { readonly list: Tokens.List; readonly growing: boolean }) {
  const items = list.items.map((item, index) => (
    <li key={index} class={item.task ? 'task' : undefined}>
      {item.task && <input type="checkbox" checked={item.checked === true} disabled aria-label={l10n.t('Task')} />}
      {blocksOf(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        growing && index === list.items.length - 1,
      )}
    </li>
  ));
  const dir = directionOf(list.raw);
  return list.ordered ? (
    <ol dir={dir} start={list.start === '' ? 1 : list.start}>
      {items}
    </ol>
  ) : (
    <ul dir={dir}>{items}</ul>
  );
}

/** Text that was too expensive to parse. It is split into pieces, so that only visible ones are laid out. */
function Plain({ text }: { readonly text: string }) {
  return (
    <>
      {plainPieces(text).map((piece, index) => (
        <p key={index} class="raw" dir="auto">
          {breakable(piece)}
        </p>
      ))}
    </>
  );
}

/** A table that scrolls horizontally in a narrow panel. A header without text becomes a plain cell. */
function Table({ table }: { readonly table: Tokens.Table }) {
  const cell = (content: Tokens.TableCell, index: number) => (
    <Content
      key={index}
      element={content.header && content.text !== '' ? 'th' : 'td'}
      class={content.align === null ? undefined : `align-${content.align}`}
      tokens={content.tokens}
    />
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div class="table" dir={directionOf(table.raw)} tabIndex={0}>
      <table>
        <thead>
          <tr>{table.header.map(cell)}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>{row.map(cell)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const KINDS: Readonly<Record<string, { readonly icon: string; readonly title: () => string }>> = {
  note: { icon: 'info', title: () => l10n.t('Note') },
  tip: { icon: 'lightbulb', title: () => l10n.t('Tip') },
  important: { icon: 'circle-filled', title: () => l10n.t('Important') },
  warning: { icon: 'warning', title: () => l10n.t('Warning') },
  caution: { icon: 'error', title: () => l10n.t('Caution') },
};

function Alert({ kind, children }: { readonly kind: string; readonly children: ComponentChildren }) {
  const shown = KINDS[kind];
  return (
    <div class={`alert ${kind}`} role="note" aria-label={shown?.title()} dir="auto">
      <p class="alert-title" aria-hidden="true">
        {shown !== undefined && <Icon name={shown.icon} />}
        {shown?.title()}
      </p>
      {children}
    </div>
  );
}
