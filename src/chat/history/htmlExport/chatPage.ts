/** A chat as one HTML page that loads no other resources. */
import * as l10n from '@vscode/l10n';
import { Marked, type Tokens } from 'marked';
import { formatMoney } from '../../../display/money.ts';
import { formatTokens } from '../../../display/tokens.ts';
import type { AnswerTurn } from '../../../pages/chat/protocol.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Entry, Question } from '../../conversation/entry.ts';
import type { Attachment } from '../../conversation/record.ts';
import { titleOf } from '../../conversation/title.ts';
import type { ImageLookup } from '../../request.ts';

/** Even if a part of an answer became markup, it could neither run scripts nor load anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

export interface ExportOptions {
  /** Removes from each text what is not to be shared. */
  readonly redact: (text: string) => string;
  readonly images: ImageLookup;
  /** Whether the page contains the attachments' contents, or only their names. */
  readonly withAttachments: boolean;
  /** The editor's language, such as `de`. */
  readonly language: string;
}

/** Contains only the branches shown. */
export function chatPage(conversation: Conversation, options: ExportOptions): string {
  const title = escapeHtml(options.redact(titleOf(conversation)));
  const money = moneyOf(conversation.entries);
  const turns = conversation.entries.map((entry) => turnHtml(entry, options, money === 'mixed'));
  return `<!DOCTYPE html>
<html lang="${escapeHtml(options.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>${sandboxNote(money)}
${turns.join('\n')}
</main>
</body>
</html>
`;
}

/** What the amounts of a page are. The sandbox's are sample money. */
type Money = 'real' | 'sample' | 'mixed';

function moneyOf(entries: readonly Entry[]): Money {
  const priced = entries.filter((entry) => entry.role === 'assistant' && entry.figures?.cost !== undefined);
  if (!priced.some(isOfSandbox)) return 'real';
  return priced.every(isOfSandbox) ? 'sample' : 'mixed';
}

function isOfSandbox(entry: Entry): boolean {
  return entry.role === 'assistant' && entry.sandbox;
}

/** Says once, before all amounts, which of them are sample money. */
function sandboxNote(money: Money): string {
  if (money === 'real') return '';
  const text =
    money === 'sample' ? l10n.t('Sandbox: sample money') : l10n.t('Answers marked “Sandbox” cost sample money.');
  return `\n<p class="note">${escapeHtml(text)}</p>`;
}

function turnHtml(entry: Entry, options: ExportOptions, isMarked: boolean): string {
  return entry.role === 'user' ? questionHtml(entry, options) : answerHtml(entry, options, isMarked);
}

function questionHtml({ text, attachments }: Question, options: ExportOptions): string {
  const attached = attachments.map((attachment) => attachmentHtml(attachment, options));
  const words = `<div class="text" dir="auto">${escapeHtml(options.redact(text))}</div>`;
  return `<article class="question"><h2>${escapeHtml(l10n.t('You'))}</h2>${words}${attached.join('')}</article>`;
}

/** @param isMarked whether an answer of the sandbox says so. */
function answerHtml(answer: AnswerTurn, { redact }: ExportOptions, isMarked: boolean): string {
  const { model, text, refusal = '', figures } = answer;
  const body = [text, refusal].filter((part) => part !== '').map((part) => markdownHtml(redact(part)));
  const facts = [
    ...(figures?.inputTokens === undefined ? [] : [l10n.t('{0} in', formatTokens(figures.inputTokens))]),
    ...(figures === undefined ? [] : [l10n.t('{0} out', formatTokens(figures.outputTokens))]),
    ...(figures?.cost === undefined ? [] : [formatMoney(figures.cost)]),
  ];
  const footer = facts.length === 0 ? '' : `<footer>${escapeHtml(facts.join(' · '))}</footer>`;
  const name = isMarked && isOfSandbox(answer) ? `${model} · ${l10n.t('Sandbox')}` : model;
  return `<article><h2>${escapeHtml(name)}</h2><div dir="auto">${body.join('')}</div>${footer}</article>`;
}

function attachmentHtml({ path, label, text, image }: Attachment, options: ExportOptions): string {
  const name = escapeHtml(options.redact(path));
  const data = image && options.images(image.file);
  if (!options.withAttachments || (image !== undefined && data === undefined)) return `<p class="attached">${name}</p>`;
  if (image !== undefined) {
    return `<p class="attached"><img alt="${escapeHtml(label)}" src="data:${escapeHtml(image.mediaType)};base64,${data}"></p>`;
  }
  return `<details><summary>${name}</summary><pre>${escapeHtml(options.redact(text))}</pre></details>`;
}

const SAFE_LINK = /^(?:https?:|mailto:)/i;

/**
 * Converts an answer's Markdown to HTML in which no markup comes from the answer: raw HTML is shown as text, and
 * nothing is loaded.
 */
function markdownHtml(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

function escapeHtml(text: string): string {
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

/** The page's styles: the reader's color scheme, and a column width suited to reading and printing. */
const STYLE = `
:root{color-scheme:light dark;--line:color-mix(in srgb,CanvasText 18%,Canvas);--quiet:color-mix(in srgb,CanvasText 70%,Canvas);--box:color-mix(in srgb,CanvasText 5%,Canvas)}
body{margin:0;font:16px/1.6 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{max-width:760px;margin:0 auto;padding:32px 16px 64px}
h1{font-size:26px;line-height:1.3;overflow-wrap:anywhere}
article{margin:24px 0;overflow-wrap:anywhere}
article>h2{margin:0 0 4px;font-size:14px;color:var(--quiet)}
.question{padding:12px 16px;border:1px solid var(--line);border-radius:8px;background:var(--box)}
.text{white-space:pre-wrap}
pre{padding:12px;border:1px solid var(--line);border-radius:6px;overflow-x:auto;background:var(--box)}
code,pre{font:14px/1.5 ui-monospace,Menlo,Consolas,monospace}
table{border-collapse:collapse}
th,td{padding:4px 10px;border:1px solid var(--line);text-align:start}
blockquote{margin:0;padding-inline-start:12px;border-inline-start:3px solid var(--line);color:var(--quiet)}
img{max-width:100%}
footer,summary,.attached,.note{font-size:14px;color:var(--quiet)}
@media print{details>pre{white-space:pre-wrap}}
`;
