import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ContextState, ContextStep } from '../../pages/session/context/protocol.ts';
import type { SessionHostMessage, SessionState, SessionTurn } from '../../pages/session/protocol.ts';
import type { Replay, ReplaySummary } from '../../pages/session/replay/protocol.ts';
import type { SessionPageMessage, SessionTransport } from '../../pages/session/sessionMessages.ts';

/** The state of the page and the actions of its user. */
export class SessionStore {
  readonly #transport: SessionTransport;
  readonly #state = signal<SessionState | undefined>(undefined);
  readonly #context = signal<ContextState | undefined>(undefined);
  readonly #problem = signal<string | undefined>(undefined);
  readonly #replays = signal<readonly ReplaySummary[]>([]);
  readonly #replay = signal<Replay | undefined>(undefined);
  /** The replays of the session, the newest first. */
  readonly replays: ReadonlySignal<readonly ReplaySummary[]> = this.#replays;
  /** The replay that is shown in place of the session. */
  readonly replay: ReadonlySignal<Replay | undefined> = this.#replay;
  /** Undefined until the host's first message. */
  readonly state: ReadonlySignal<SessionState | undefined> = this.#state;
  /** What fills the context. Undefined until it was read, and if no request was measured. */
  readonly context: ReadonlySignal<ContextState | undefined> = this.#context;
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

  /** Shows the requests from the first of the steps to the last. */
  showSteps(steps: readonly ContextStep[]): void {
    const [first, last] = [steps[0], steps.at(-1)];
    if (first !== undefined && last !== undefined) {
      this.post({ type: 'showInTraffic', from: first.at, to: last.at + 1 });
    }
  }

  closeReplay(): void {
    this.#replay.value = undefined;
  }

  #receive(message: SessionHostMessage): void {
    switch (message.type) {
      case 'problem':
        this.#problem.value = message.problem;
        return;
      case 'session':
        this.#show(message.state);
        return;
      case 'context':
        this.#context.value = message.context.steps.length === 0 ? undefined : message.context;
        return;
      case 'replays':
        this.#replays.value = message.replays;
        return;
      case 'replay':
        this.#replay.value = message.replay;
        return;
      case 'replayedRequest': {
        const { state, step } = message;
        const shown = this.#replay.value;
        if (shown?.id !== state.id) return;
        const steps = step === undefined ? shown.steps : shown.steps.with(step.number - 1, step);
        this.#replay.value = { ...state, steps };
      }
    }
  }

  #show(state: SessionState): void {
    if (state.sessionId !== this.#state.value?.sessionId) {
      this.closeReplay();
      if (this.#context.value?.sessionId !== state.sessionId) this.#context.value = undefined;
    }
    this.#problem.value = undefined;
    this.#state.value = state;
    this.#transport.keep(state.sessionId);
  }
}

export const StoreContext = createContext<SessionStore | undefined>(undefined);

export function useStore(): SessionStore {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error('There is no store around this component.');
  return store;
}
