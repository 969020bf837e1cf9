import * as l10n from '@vscode/l10n';
import { formatTokens } from '../../display/tokens.ts';
import type { ChatState } from '../../pages/chat/protocol.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import type { Attachment } from '../conversation/record.ts';

/** The end of these files, with the latest lines, is kept. */
const KEEPS_END = /\.(log|out)(\.\d+)?$/i;

/** The maximum share of the context window that is reserved for the answer, and the margin for inaccurate estimates. */
const ANSWER_SHARE = 0.25;
const DOUBT = 0.05;

/** Returns the tokens that an attachment may have, so that the request fits into the window with room for an answer. */
export function tokensThatFit(
  { catalog, model, estimate }: Pick<ChatState, 'catalog' | 'model' | 'estimate'>,
  { tokens = 0 }: Attachment,
): number {
  const window = catalog.models.find(({ id }) => id === model)?.contextWindow;
  if (window === undefined || estimate.inputTokens === undefined) return tokens;
  const answer = Math.min(estimate.maxOutputTokens ?? 0, window * ANSWER_SHARE);
  const over = estimate.inputTokens - (window - answer);
  return Math.max(1, Math.floor((tokens - over) * (1 - DOUBT)));
}

/** Shortens the attachment to about this many tokens. A note marks the omitted part. */
export function trimmed(attachment: Attachment, tokens: number): Attachment {
  const { kind, label, text } = attachment;
  const keepsEnd = kind === 'terminal' || KEEPS_END.test(label);
  const shorter = keepsEnd ? endOf(text, tokens) : startOf(text, tokens);
  const note = l10n.t('Trimmed from {0} tokens', formatTokens(attachment.tokens ?? estimateTokens(text)));
  return { ...attachment, text: shorter, tokens: estimateTokens(shorter), note };
}

function startOf(text: string, tokens: number): string {
  const lines = text.split('\n');
  const kept = fitting(lines, tokens);
  if (kept === 0) return `${text.slice(0, charactersOf(text, tokens))}\n${droppedText('The rest of the text')}`;
  return `${lines.slice(0, kept).join('\n')}\n${droppedText(linesText(lines.length - kept))}`;
}

function endOf(text: string, tokens: number): string {
  const lines = text.split('\n');
  const kept = fitting(lines.toReversed(), tokens);
  if (kept === 0) return `${droppedText('The text before this')}\n${text.slice(-charactersOf(text, tokens))}`;
  return `${droppedText(linesText(lines.length - kept))}\n${lines.slice(-kept).join('\n')}`;
}

/** Returns the number of lines, from the first one, that fit into this many tokens. */
function fitting(lines: readonly string[], tokens: number): number {
  let sum = 0;
  const end = lines.findIndex((line) => {
    sum += estimateTokens(`${line}\n`);
    return sum > tokens;
  });
  return end === -1 ? lines.length : end;
}

/** Returns the number of characters that fit, for a text of one long line. */
function charactersOf(text: string, tokens: number): number {
  return Math.max(1, Math.floor((text.length * tokens) / Math.max(1, estimateTokens(text))));
}

function linesText(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** In English, because the text is for the model. */
function droppedText(what: string): string {
  return `[… ${what} omitted here …]`;
}
