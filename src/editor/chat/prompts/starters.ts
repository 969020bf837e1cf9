import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { baseName, SKIPPED_FOLDERS } from '../../files/paths.ts';
import type { ChatSession } from '../chatSession.ts';
import { attachDocument } from '../context/documents.ts';
import { textAttachment } from '../context/textAttachment.ts';
import type { ConversationStore } from '../conversation/conversationStore.ts';
import type { Attachment } from '../conversation/record.ts';
import { Guard, keysIn } from '../guard/guard.ts';
import type { ChatPanelMessage, StarterView } from '../protocol.ts';
import { builtInPrompt } from './codePromptTexts.ts';
import { fillIn } from './prompt.ts';

/** With a key, the starters are shown until there are this many chats. */
const MAX_CHATS = 3;
const CODE_FILES = '**/*.{ts,tsx,js,jsx,mjs,py,go,rs,java,kt,cs,rb,php,swift,c,cc,cpp,dart,scala}';
const MAX_FOUND = 60;
/** A longer file would cost too much for a first question. In characters. */
const MAX_LENGTH = 20_000;

type StarterId = StarterView['id'];
type StarterMessage = Extract<ChatPanelMessage, { type: 'starter' }>;

/**
 * The prompts that an empty chat offers, about one file: the open one, or else one of the workspace, or else a sample.
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
        return this.#session.composition.preview(message.id && this.#questionOf(message.id));
      case 'use':
        return message.id && this.#use(message.id);
    }
  }

  async #list(): Promise<void> {
    const isShown = this.#isSandbox || (await this.#store.stamps()).length < MAX_CHATS;
    this.#file = isShown ? await fileToStartWith() : undefined;
    this.#session.panel.post({ type: 'starters', starters: this.#file === undefined ? [] : startersFor(this.#file) });
  }

  /** In the sandbox, the question is sent immediately. A question that costs money is put into the composer first. */
  async #use(id: StarterId): Promise<void> {
    const question = this.#questionOf(id);
    if (question === undefined) return;
    const { composition, turns } = this.#session;
    composition.preview(undefined);
    composition.attach(...question.attachments);
    if (this.#isSandbox) await turns.send(question.draft);
    else composition.compose(question.draft);
  }

  get #isSandbox(): boolean {
    return this.#session.state.connection === 'sandbox';
  }

  #questionOf(id: StarterId) {
    const file = this.#file;
    return file && { draft: textOf(id, file.label), attachments: [file] };
  }
}

function startersFor({ label }: Attachment): readonly StarterView[] {
  return [
    {
      id: 'explain',
      title: l10n.t('Explain {0}', label),
      detail: l10n.t('Attaches the file and counts its tokens'),
    },
    {
      id: 'table',
      title: l10n.t('Summarize {0} in a table', label),
      detail: l10n.t('Answers with headings, a table, and a formula'),
    },
    { id: 'document', title: l10n.t('Add comments to {0}', label), detail: l10n.t('Proposes an edit that you review') },
  ];
}

function textOf(id: StarterId, label: string): string {
  const name = `\`${label}\``;
  if (id !== 'table') return fillIn(builtInPrompt(id), { selection: name });
  return l10n.t(
    'Summarize {0}: a heading for each part, a table of what it contains, and a formula for one thing that it computes.',
    name,
  );
}

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

const SAMPLE = textAttachment({
  kind: 'file',
  label: 'quote.ts',
  path: 'quote.ts',
  languageId: 'typescript',
  text: `const PRICE_PER_KILOGRAM = { near: 1.2, far: 2.5 };

export type Zone = keyof typeof PRICE_PER_KILOGRAM;

export function quote(kilograms: number, zone: Zone): number {
  const price = kilograms * PRICE_PER_KILOGRAM[zone];
  return Math.round(price * 100) / 100;
}
`,
});
