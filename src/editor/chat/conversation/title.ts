import * as l10n from '@vscode/l10n';
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
