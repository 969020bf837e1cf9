import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../display/money.ts';
import type { Conversation } from './conversation.ts';
import type { Question } from './entry.ts';

const MAX_TITLE_LENGTH = 60;

/** The conversation's title, or else the first line of its first question. */
export function titleOf(conversation: Conversation): string {
  if (conversation.title !== undefined) return plain(conversation.title);
  const first = conversation.entries.find((entry): entry is Question => entry.role === 'user');
  if (first === undefined) return l10n.t('New chat');
  return shortened(plain(firstLine(first.shown ?? first.text))) || (first.attachments[0]?.label ?? l10n.t('New chat'));
}

export function titleNoteOf({ titleWriter }: Conversation): string | undefined {
  if (titleWriter === undefined) return undefined;
  const { model, cost } = titleWriter;
  if (cost === undefined) return l10n.t('Title written by {0}', model);
  return l10n.t('Title written by {0} for {1}', model, formatMoney(cost));
}

/**
 * Returns the title in a model's answer, without the marks that models add to one. Undefined if there is none.
 */
export function titleIn(answer: string): string | undefined {
  const line = plain(firstLine(answer)).replace(/^(?:#+|[-*>])\s+/, '');
  const bare = line.replaceAll('**', '').replace(/^(?:title|titel|标题)\s*[:：]\s*/i, '');
  const title = withoutPeriod(withoutPeriod(bare).replace(/^["'“”„«「《](.*)["'“”»」》]$/u, '$1'));
  return shortened(title.trim()) || undefined;
}

function withoutPeriod(text: string): string {
  return text.replace(/[.。]$/, '');
}

function shortened(title: string): string {
  return title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH - 1).trimEnd()}…` : title;
}

/** The first line with text, which is not the fence of a code block. */
function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !/^(`{3,}|~{3,})/.test(line)) ?? '';
}

/** A title is not Markdown, so its code marks would be visible. */
function plain(text: string): string {
  return text.replaceAll(/`+([^`]*)`+/g, '$1').replaceAll('`', '');
}
