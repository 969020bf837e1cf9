import * as vscode from 'vscode';
import { textAttachment } from '../../../chat/context/textAttachment.ts';
import type { ConversationStore } from '../../../chat/conversation/conversationStore.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { QUESTIONS, starterOf, TASKS } from '../../../chat/prompts/starterTexts.ts';
import { baseName, SKIPPED_FOLDERS } from '../../../files/paths.ts';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { StarterView } from '../../../pages/chat/protocol.ts';
import { isSampleCode, SAMPLE_CODE } from '../../../rules/sampleCode.ts';
import type { ChatSession } from '../chatSession.ts';
import { attachDocument } from '../context/attachedDocuments.ts';
import { Guard, keysIn } from '../guard/guard.ts';

/** With a key, the starters are shown until there are this many chats. */
const MAX_CHATS = 3;

type StarterMessage = Extract<ChatPanelMessage, { type: 'starter' }>;

/**
 * The prompts that an empty chat offers about one file. In Agent mode they are tasks. The sandbox has prepared answers
 * about the sample only.
 */
export class Starters {
  readonly #session: ChatSession;
  readonly #store: ConversationStore;
  #file: Attachment | undefined;

  constructor(session: ChatSession, store: ConversationStore) {
    this.#session = session;
    this.#store = store;
  }

  async receive(message: StarterMessage): Promise<void> {
    switch (message.action) {
      case 'list':
        return this.#list();
      case 'preview':
        return this.#session.chat.composition.preview(message.id && this.#questionOf(message.id));
      case 'use':
        return message.id && this.#use(message.id);
    }
  }

  async #list(): Promise<void> {
    const { parameters, panel } = this.#session;
    const found = await this.#fileToStartWith();
    // A task needs files that can be changed.
    const file = parameters.acts && found === SAMPLE ? undefined : found;
    this.#file = file;
    const ids = parameters.acts ? TASKS : QUESTIONS;
    const view = (id: StarterView['id'], { title, detail }: Omit<StarterView, 'id'>) => ({ id, title, detail });
    const starters = file === undefined ? [] : ids.map((id) => view(id, starterOf(id, file)));
    panel.post({ type: 'starters', starters });
  }

  async #fileToStartWith(): Promise<Attachment | undefined> {
    if (this.#isSandbox) return sampleToStartWith();
    return (await this.#store.stamps()).length < MAX_CHATS ? fileToStartWith() : undefined;
  }

  /** In the sandbox, the question is sent immediately. A question that costs money is put into the composer first. */
  async #use(id: StarterView['id']): Promise<void> {
    const question = this.#questionOf(id);
    if (question === undefined) return;
    const { chat } = this.#session;
    const { composition, turns } = chat;
    if (turns.isAsking) return;
    composition.preview(undefined);
    composition.attach(...question.attachments);
    if (!this.#isSandbox) {
      composition.compose(question.draft);
      return;
    }
    await turns.send(question.draft, [], question.title);
    chat.giveTitle(question.chatTitle);
  }

  get #isSandbox(): boolean {
    return this.#session.state.connection === 'sandbox';
  }

  /** The agent reads the file itself. */
  #questionOf(id: StarterView['id']) {
    const file = this.#file;
    if (file === undefined) return undefined;
    return { ...starterOf(id, file), attachments: TASKS.includes(id) ? [] : [file] };
  }
}

const CODE_FILES = '**/*.{ts,tsx,js,jsx,mjs,py,go,rs,java,kt,cs,rb,php,swift,c,cc,cpp,dart,scala}';
const MAX_FOUND = 60;
/** A longer file would cost too much for a first question. In characters. */
const MAX_LENGTH = 20_000;

/** Offered if the workspace has no suitable file. */
const SAMPLE: Attachment = textAttachment({
  kind: 'file',
  label: 'quote.ts',
  path: 'quote.ts',
  languageId: 'typescript',
  text: SAMPLE_CODE,
});

/** Returns the sample in the workspace, where it can be changed, or else a copy of it. */
async function sampleToStartWith(): Promise<Attachment> {
  const found = await vscode.workspace.findFiles('**/src/quote.ts', SKIPPED_FOLDERS, MAX_FOUND);
  for (const uri of found) {
    const document = await vscode.workspace.openTextDocument(uri);
    if (isSampleCode(document.getText())) return attachDocument(document);
  }
  return SAMPLE;
}

/** Returns the open file, or else one of the workspace, or else the sample. */
async function fileToStartWith(): Promise<Attachment> {
  const open = vscode.window.activeTextEditor?.document;
  const documents = open !== undefined && open.uri.scheme === 'file' ? [open] : [];
  for (const document of [...documents, ...(await documentsOfWorkspace())]) {
    const { length } = document.getText();
    if (length === 0 || length > MAX_LENGTH) continue;
    const attachment = attachDocument(document);
    const found = await new Guard().findingsOf([document.uri]);
    if (found.length === 0 && (await keysIn([attachment])).length === 0) return attachment;
  }
  return SAMPLE;
}

/** Returns the workspace file with the most content to ask about. */
async function documentsOfWorkspace(): Promise<vscode.TextDocument[]> {
  const found = await vscode.workspace.findFiles(CODE_FILES, SKIPPED_FOLDERS, MAX_FOUND);
  const clear = await new Guard().clearByPath(found.filter(({ path }) => !/test|spec/i.test(baseName(path))));
  const sized = await Promise.all(
    clear.map(async (uri) => ({ uri, size: (await vscode.workspace.fs.stat(uri)).size })),
  );
  const [best] = sized.filter(({ size }) => size <= MAX_LENGTH).sort((a, b) => b.size - a.size);
  return best === undefined ? [] : [await vscode.workspace.openTextDocument(best.uri)];
}
