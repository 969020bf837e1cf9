/** A conversation as a Markdown file that people can read and this extension can import. */
import * as l10n from '@vscode/l10n';
import { FORMAT_NAMES } from '../../formats/conversation.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Entry } from '../conversation/entry.ts';
import type { ConversationRecord } from '../conversation/record.ts';
import { titleOf } from '../conversation/title.ts';

/** A comment before each turn with the data for the import. Markdown does not show it. */
const MARK = /^<!-- turn (\{.*\}) -->$/gm;

/** A line of a text that reads like a mark gets a backslash, so that no text can begin a turn of somebody else. */
const LIKE_MARK = /^(\\*)(?=<!-- turn \{)/gm;
const ESCAPED_MARK = /^\\(?=\\*<!-- turn \{)/gm;

interface Mark {
  readonly role?: unknown;
  readonly model?: unknown;
  readonly format?: unknown;
  readonly sandbox?: unknown;
}

/** Contains only the branches shown. */
export function toMarkdown(conversation: Conversation): string {
  const turns = conversation.entries.map((entry) => `${markOf(entry)}\n## ${nameOf(entry)}\n\n${textOf(entry)}\n`);
  return [`# ${titleOf(conversation)}\n`, ...turns].join('\n');
}

/** Returns undefined for a file that was not exported by this extension. `at` is in milliseconds since the epoch. */
export function fromMarkdown(source: string, id: string, at: number): ConversationRecord[] | undefined {
  const text = source.replaceAll('\r\n', '\n');
  const marks = [...text.matchAll(MARK)];
  if (marks.length === 0) return undefined;
  const title = /^# (.+)$/m.exec(text)?.[1] ?? l10n.t('Imported chat');
  const records = marks.flatMap((mark, index) => {
    const body = text.slice(mark.index + mark[0].length, marks[index + 1]?.index).replace(/^\s*## .*\n/, '');
    const parent = index === 0 ? null : `turn-${index}`;
    const turnText = body.trim().replaceAll(ESCAPED_MARK, '');
    return recordsOfTurn(readMark(mark[1]), `turn-${index + 1}`, parent, turnText, at);
  });
  return [{ type: 'conversation', version: 1, id, at, title }, ...records];
}

function recordsOfTurn(mark: Mark, id: string, parent: string | null, text: string, at: number): ConversationRecord[] {
  if (mark.role === 'user') return [{ type: 'question', id, at, parent, text, attachments: [] }];
  const model = typeof mark.model === 'string' ? mark.model : '';
  const format = FORMAT_NAMES.find((name) => name === mark.format) ?? 'messages';
  return [
    { type: 'answer', id, at, parent, model, format, sandbox: mark.sandbox === true },
    { type: 'delta', id, text },
    { type: 'answerEnd', id, status: 'complete' },
  ];
}

function readMark(json: string | undefined): Mark {
  try {
    return JSON.parse(json ?? '{}');
  } catch {
    // The comment was edited by hand. The text after it is still a turn.
    return {};
  }
}

function markOf(entry: Entry): string {
  const { role } = entry;
  if (role === 'user') return `<!-- turn ${JSON.stringify({ role })} -->`;
  const { model, format, sandbox } = entry;
  return `<!-- turn ${JSON.stringify({ role, model, format, sandbox })} -->`;
}

function nameOf(entry: Entry): string {
  return entry.role === 'user' ? l10n.t('You') : entry.model.replaceAll(/\s+/g, ' ');
}

/** Other line ends become those that the import expects, which would otherwise make marks of what is none here. */
function textOf(entry: Entry): string {
  return bodyOf(entry).replaceAll('\r\n', '\n').replaceAll(LIKE_MARK, '\\$1');
}

function bodyOf(entry: Entry): string {
  if (entry.role === 'assistant') return [entry.text, entry.refusal ?? ''].filter((part) => part !== '').join('\n\n');
  const attached = entry.attachments.map(({ path, languageId, text, image }) => {
    if (image !== undefined) return path;
    const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
    const fence = '`'.repeat(longest + 1);
    return `${path}\n\n${fence}${languageId}\n${text}\n${fence}`;
  });
  return [...attached, entry.text].filter((part) => part !== '').join('\n\n');
}
