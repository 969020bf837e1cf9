import * as l10n from '@vscode/l10n';
import type { Conversation } from './conversation.ts';
import type { Question } from './entry.ts';

const MAX_TITLE_LENGTH = 60;

/** The title that was given, else the first line of the first question. */
export function titleOf(conversation: Conversation): string {
  if (conversation.title !== undefined) return plain(conversation.title);
  const first = conversation.entries.find((entry): entry is Question => entry.role === 'user');
  if (first === undefined) return l10n.t('New chat');
  return shortened(plain(firstLine(first.text))) || (first.attachments[0]?.label ?? l10n.t('New chat'));
}

function shortened(title: string): string {
  return title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH - 1).trimEnd()}…` : title;
}

/** The first line with words in it: not the fence of a block of code. */
function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !/^(`{3,}|~{3,})/.test(line)) ?? '';
}

/** A title is no Markdown: the marks of code in it would show as they are. */
function plain(text: string): string {
  return text.replaceAll(/`+([^`]*)`+/g, '$1').replaceAll('`', '');
}
