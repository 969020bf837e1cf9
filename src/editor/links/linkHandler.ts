import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import type { BaseServices } from '../baseServices.ts';
import type { ChatSession } from '../chat/chatSession.ts';
import type { ChatView } from '../chat/panel/chatView.ts';

export interface LinkServices extends Pick<BaseServices, 'log' | 'models'> {
  readonly session: ChatSession;
}

/**
 * Opens links to the chat. They show the chat and fill in the composer; sending or changing anything else is left to
 * the user.
 */
export class LinkHandler implements vscode.UriHandler {
  readonly #services: LinkServices;
  readonly #view: Pick<ChatView, 'reveal'>;
  readonly #ready: Promise<void>;

  /** @param ready Resolves when the window's conversation is restored, because a link may start the editor. */
  constructor(services: LinkServices, view: Pick<ChatView, 'reveal'>, ready: Promise<void>) {
    this.#services = services;
    this.#view = view;
    this.#ready = ready;
  }

  async handleUri({ path, query, fragment }: vscode.Uri): Promise<void> {
    try {
      const { followLink, readLink } = await import('./openLink.ts');
      const link = readLink(path, query, fragment);
      await this.#ready;
      await followLink(link, this.#services, this.#view);
    } catch (error) {
      // The link itself is not logged, because it may contain a key.
      this.#services.log.warn('A link was not opened', error);
      void vscode.window.showErrorMessage(errorText(error));
    }
  }
}
