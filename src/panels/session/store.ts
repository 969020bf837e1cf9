import { type ReadonlySignal, signal } from '@preact/signals';
import type { ContextState, ContextStep } from '../../pages/session/context/protocol.ts';
import type { SessionHostMessage, SessionState, SessionTurn } from '../../pages/session/protocol.ts';
import type { SessionPageMessage } from '../../pages/session/sessionMessages.ts';
import { PageStore, storeContext } from '../shared/pageStore.ts';

/** The state of the page and the actions of its user. */
export class SessionStore extends PageStore<SessionHostMessage, SessionPageMessage, string> {
  readonly #state = signal<SessionState | undefined>(undefined);
  readonly #context = signal<ContextState | undefined>(undefined);
  readonly #problem = signal<string | undefined>(undefined);
  /** Undefined until the host's first message. */
  readonly state: ReadonlySignal<SessionState | undefined> = this.#state;
  /** What fills the context. Undefined until it was read, and if no request was measured. */
  readonly context: ReadonlySignal<ContextState | undefined> = this.#context;
  /** Why the session could not be read. */
  readonly problem: ReadonlySignal<string | undefined> = this.#problem;

  protected override ready(): SessionPageMessage {
    const sessionId = this.transport.kept();
    return { type: 'ready', ...(sessionId !== undefined && { sessionId }) };
  }

  showTurns(turns: readonly SessionTurn[]): void {
    const [first, last] = [turns[0], turns.at(-1)];
    if (first !== undefined && last !== undefined) {
      this.post({ type: 'showInTraffic', from: first.from, to: last.to + 1 });
    }
  }

  /** Shows the requests from the first of the steps to the last. */
  showSteps(steps: readonly ContextStep[]): void {
    const [first, last] = [steps[0], steps.at(-1)];
    if (first !== undefined && last !== undefined) {
      this.post({ type: 'showInTraffic', from: first.at, to: last.at + 1 });
    }
  }

  protected override receive(message: SessionHostMessage): void {
    switch (message.type) {
      case 'problem':
        this.#problem.value = message.problem;
        return;
      case 'session':
        this.#show(message.state);
        return;
      case 'context':
        this.#context.value = message.context.steps.length === 0 ? undefined : message.context;
    }
  }

  #show(state: SessionState): void {
    if (state.sessionId !== this.#state.value?.sessionId) {
      if (this.#context.value?.sessionId !== state.sessionId) this.#context.value = undefined;
    }
    this.#problem.value = undefined;
    this.#state.value = state;
    this.transport.keep(state.sessionId);
  }
}

export const [StoreProvider, useStore] = storeContext<SessionStore>();
