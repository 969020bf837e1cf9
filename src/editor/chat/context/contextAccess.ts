import type { ChatSession } from '../chatSession.ts';
import type { ContextActions } from './contextActions.ts';

/** What attaches things to the question, loaded when it is first asked for. */
export class ContextAccess {
  readonly #session: ChatSession;
  #actions: ContextActions | undefined;

  constructor(session: ChatSession) {
    this.#session = session;
  }

  async actions(): Promise<ContextActions> {
    const { ContextActions } = await import('./contextActions.ts');
    this.#actions ??= new ContextActions(this.#session);
    return this.#actions;
  }
}
