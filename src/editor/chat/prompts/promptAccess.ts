import type { ChatSession } from '../chatSession.ts';
import type { ContextAccess } from '../context/contextAccess.ts';
import type { PromptActions } from './promptActions.ts';
import type { PromptLibrary } from './promptLibrary.ts';

/** What is done with prompts, loaded when it is first asked for. */
export class PromptAccess {
  readonly #session: ChatSession;
  readonly #library: PromptLibrary;
  readonly #context: ContextAccess;
  #actions: PromptActions | undefined;

  constructor(session: ChatSession, library: PromptLibrary, context: ContextAccess) {
    this.#session = session;
    this.#library = library;
    this.#context = context;
  }

  async actions(): Promise<PromptActions> {
    const { PromptActions } = await import('./promptActions.ts');
    this.#actions ??= new PromptActions(this.#session, this.#library, this.#context);
    return this.#actions;
  }
}
