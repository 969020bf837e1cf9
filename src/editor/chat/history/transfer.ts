import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Conversation } from '../../../chat/conversation/conversation.ts';
import { ConversationImages } from '../../../chat/conversation/conversationImages.ts';
import type { ConversationStore } from '../../../chat/conversation/conversationStore.ts';
import type { ConversationRecord } from '../../../chat/conversation/record.ts';
import { titleOf } from '../../../chat/conversation/title.ts';
import { fromJson, imagesIn, toJson } from '../../../chat/history/jsonExport.ts';
import { fromMarkdown, toMarkdown } from '../../../chat/history/markdownExport.ts';
import type { ImageLookup } from '../../../chat/request.ts';
import { defined } from '../../../formats/json.ts';

const MARKDOWN = { Markdown: ['md'] };
const JSON_FILES = { JSON: ['json'] };
const PAGES = { HTML: ['html'] };

/**
 * Asks for a file, and writes the conversation to it: as JSON with all branches, or the branches shown as Markdown or
 * HTML.
 */
export async function exportConversation(conversation: Conversation, images: ImageLookup): Promise<void> {
  const name =
    titleOf(conversation)
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .trim() || 'chat';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: l10n.t('Export the chat as Markdown, HTML, or JSON'),
    saveLabel: l10n.t('Export'),
    filters: { ...MARKDOWN, ...PAGES, ...JSON_FILES },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, `${name}.md`) }),
  });
  if (uri === undefined) return;
  const text = await textFor(uri.path.toLowerCase(), conversation, images);
  if (text !== undefined) await vscode.workspace.fs.writeFile(uri, Buffer.from(text, 'utf8'));
}

/** Returns undefined if the user canceled. */
async function textFor(path: string, conversation: Conversation, images: ImageLookup): Promise<string | undefined> {
  if (path.endsWith('.json')) return toJson(conversation, images);
  return /\.html?$/.test(path) ? pageOf(conversation, images) : toMarkdown(conversation);
}

/** A page to share, without what the user does not want to share. */
async function pageOf(conversation: Conversation, images: ImageLookup): Promise<string | undefined> {
  const [{ askRedaction }, { Redaction }, { chatPage }] = await Promise.all([
    import('./htmlExport/askRedaction.ts'),
    import('../../../chat/history/htmlExport/redaction.ts'),
    import('../../../chat/history/htmlExport/chatPage.ts'),
  ]);
  const folders = new Map((vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => [uri.fsPath, name]));
  const removed = await askRedaction(conversation, folders);
  if (removed === undefined) return undefined;
  const { redact } = new Redaction(removed, folders);
  return chatPage(conversation, {
    redact,
    images,
    withAttachments: !removed.attachments,
    language: vscode.env.language,
  });
}

/**
 * Asks for files, and imports each as a new conversation. Returns the IDs of the new conversations.
 * @throws if a file was not exported by this extension.
 */
export async function importConversations(store: ConversationStore): Promise<string[]> {
  const uris = await vscode.window.showOpenDialog({
    canSelectMany: true,
    openLabel: l10n.t('Import'),
    filters: { [l10n.t('Exported chats')]: ['md', 'json'] },
  });
  const ids: string[] = [];
  for (const uri of uris ?? []) ids.push(await importFile(uri, store));
  return ids;
}

async function importFile(uri: vscode.Uri, store: ConversationStore): Promise<string> {
  const source = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
  const id = randomUUID();
  const records = fromJson(source, id, Date.now()) ?? fromMarkdown(source, id, Date.now());
  if (records === undefined) {
    throw new Error(l10n.t('{0} is not a chat exported from Model Access.', uri.path.split('/').at(-1) ?? ''));
  }
  await keepImages(id, records, imagesIn(source), store);
  const place = defined({ workspace: store.workspace });
  await store.append(
    id,
    records.map((record) => (record.type === 'conversation' ? { ...record, ...place } : record)),
  );
  return id;
}

/** Stores the imported images under names derived from their bytes. */
async function keepImages(
  id: string,
  records: readonly ConversationRecord[],
  data: Readonly<Record<string, string>>,
  store: ConversationStore,
): Promise<void> {
  const images = new ConversationImages(store);
  const stored = records.flatMap((record) => {
    if (record.type === 'question') return record.attachments.flatMap(({ image }) => image ?? []);
    return record.type === 'delta' ? (record.toolCall?.images ?? []) : [];
  });
  for (const { file, mediaType } of stored) {
    const bytes = data[file];
    if (bytes !== undefined) images.hold(bytes, mediaType);
  }
  await images.keep(id, stored);
}
