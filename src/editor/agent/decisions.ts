import type { ApprovalChoice, RunQuestion } from '../chat/protocol.ts';

/** The answer to a {@link RunQuestion}: a choice, an amount to raise a limit by, or a text. */
export type Decision = ApprovalChoice | number | string;

/** The question that a run waits for. There is one at a time. */
export class Decisions {
  readonly #onDidChange: () => void;
  #open: { readonly question: RunQuestion; readonly decide: (decision: Decision | undefined) => void } | undefined;

  constructor(onDidChange: () => void) {
    this.#onDidChange = onDidChange;
  }

  get question(): RunQuestion | undefined {
    return this.#open?.question;
  }

  /** Asks, and waits for the user. Returns undefined if the run was stopped instead. */
  async ask<Answer extends Decision>(question: RunQuestion, signal: AbortSignal): Promise<Answer | undefined> {
    const { promise, resolve } = Promise.withResolvers<Decision | undefined>();
    const onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    this.#open = { question, decide: resolve };
    this.#onDidChange();
    try {
      return (await promise) as Answer | undefined;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#open = undefined;
      this.#onDidChange();
    }
  }

  /** Answers the question about this call. Another question, or none, is ignored: the panel may be late. */
  answerCall(callId: string, decision: Decision): void {
    const { question } = this.#open ?? {};
    if (question !== undefined && question.type !== 'cap' && question.callId === callId) this.#open?.decide(decision);
  }

  answerCap(by: number): void {
    if (this.#open?.question.type === 'cap') this.#open.decide(by);
  }
}
