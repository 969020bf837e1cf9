import { Lazy } from '../lazy.ts';
import type { ChatParts } from './chatParts.ts';
import type { ChatTitles, TitleServices } from './titles.ts';

/** Gives chats their titles after the first answer. A model writes them, which is loaded with the first one. */
export class ChatNames {
  readonly #services: TitleServices;
  readonly #titles: Lazy<ChatTitles>;

  constructor(services: TitleServices) {
    this.#services = services;
    this.#titles = new Lazy(async () => {
      const { ChatTitles } = await import('./titles.ts');
      return new ChatTitles(services);
    });
  }

  /** Gives a chat a prepared title, unless it has one. */
  give({ conversation }: ChatParts, title: string): void {
    const { isEmpty, isNamed } = conversation.value;
    if (!isEmpty && !isNamed && this.#services.settings.writesTitles) conversation.record({ type: 'title', title });
  }

  /** Has a model write the title, unless the chat has one. In the sandbox, the starters bring their own. */
  async write(chat: ChatParts): Promise<void> {
    const { settings, connection, log } = this.#services;
    const { conversation } = chat;
    if (!settings.writesTitles || connection.current.kind === 'sandbox' || conversation.value.isNamed) return;
    try {
      if (await (await this.#titles.get()).write(conversation)) chat.update();
    } catch (error) {
      log.error('The part that writes titles could not be loaded', error);
    }
  }

  /** Whether a model is writing the title of a chat. */
  isWriting(conversationId: string): boolean {
    return this.#titles.current?.isWriting(conversationId) === true;
  }

  /** Stops writing the title of a chat, or all titles. */
  stop(conversationId?: string): void {
    this.#titles.current?.stop(conversationId);
  }
}
