import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type {
  SessionHostMessage,
  SessionPageMessage,
  SessionState,
  SessionTransport,
  SessionTurn,
} from '../../editor/sessions/protocol.ts';

/** The state of the page and the actions of its user. */
export class SessionStore {
  readonly #transport: SessionTransport;
  readonly #state = signal<SessionState | undefined>(undefined);
  readonly #problem = signal<string | undefined>(undefined);
  /** Undefined until the host's first message. */
  readonly state: ReadonlySignal<SessionState | undefined> = this.#state;
  /** Why the session could not be read. */
  readonly problem: ReadonlySignal<string | undefined> = this.#problem;

  constructor(transport: SessionTransport) {
    this.#transport = transport;
  }

  /** Starts to listen and requests the state. */
  start(): void {
    this.#transport.listen((message) => this.#receive(message));
    const sessionId = this.#transport.kept();
    this.post({ type: 'ready', ...(sessionId !== undefined && { sessionId }) });
  }

  post(message: SessionPageMessage): void {
    this.#transport.post(message);
  }

  showTurns(turns: readonly SessionTurn[]): void {
    const [first, last] = [turns[0], turns.at(-1)];
    if (first !== undefined && last !== undefined) {
      this.post({ type: 'showInTraffic', from: first.from, to: last.to + 1 });
    }
  }

  #receive(message: SessionHostMessage): void {
    if (message.type === 'problem') {
      this.#problem.value = message.problem;
      return;
    }
    this.#problem.value = undefined;
    this.#state.value = message.state;
    this.#transport.keep(message.state.sessionId);
  }
}

export const StoreContext = createContext<SessionStore | undefined>(undefined);

export function useStore(): SessionStore {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error('There is no store around this component.');
  return store;
}
