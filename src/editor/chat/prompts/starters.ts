import type { ChatSession } from '../chatSession.ts';
import type { ConversationStore } from '../conversation/conversationStore.ts';
import type { Attachment } from '../conversation/record.ts';
import type { ChatPanelMessage, StarterView } from '../protocol.ts';
import { fileToStartWith, SAMPLE, sampleToStartWith } from './starterFile.ts';
import { chatTitleOf, draftOf, QUESTIONS, starterOf, TASKS } from './starterTexts.ts';

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
        return this.#session.composition.preview(message.id && this.#questionOf(message.id));
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
    panel.post({ type: 'starters', starters: file === undefined ? [] : ids.map((id) => starterOf(id, file)) });
  }

  async #fileToStartWith(): Promise<Attachment | undefined> {
    if (this.#isSandbox) return sampleToStartWith();
    return (await this.#store.stamps()).length < MAX_CHATS ? fileToStartWith() : undefined;
  }

  /** In the sandbox, the question is sent immediately. A question that costs money is put into the composer first. */
  async #use(id: StarterView['id']): Promise<void> {
    const question = this.#questionOf(id);
    if (question === undefined) return;
    const { composition, turns, conversation } = this.#session;
    composition.preview(undefined);
    composition.attach(...question.attachments);
    if (!this.#isSandbox) {
      composition.compose(question.draft);
      return;
    }
    await turns.send(question.draft, [], question.title);
    this.#session.giveTitle(conversation, question.chatTitle);
  }

  get #isSandbox(): boolean {
    return this.#session.state.connection === 'sandbox';
  }

  /** The agent reads the file itself. */
  #questionOf(id: StarterView['id']) {
    const file = this.#file;
    if (file === undefined) return undefined;
    const { title } = starterOf(id, file);
    return {
      title,
      chatTitle: chatTitleOf(id, file),
      draft: draftOf(id, file),
      attachments: TASKS.includes(id) ? [] : [file],
    };
  }
}
