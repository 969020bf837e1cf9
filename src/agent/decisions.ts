import type {
  ApprovalChoice,
  ApprovalQuestion,
  CapQuestion,
  FormQuestion,
  RunQuestion,
} from '../pages/chat/protocol.ts';

/** The answer to a {@link RunQuestion}: a choice, an amount to raise a limit by, or a text. */
export type Decision = ApprovalChoice | number | string;

/** A question without its number. */
export type NewQuestion = Omit<ApprovalQuestion, 'number'> | Omit<FormQuestion, 'number'> | CapQuestion;

/** The question that a run waits for. There is one at a time. */
export class Decisions {
  readonly #onDidChange: () => void;
  /** The number of questions so far, in all runs: the panel may answer one of an earlier run late. */
  static #asked = 0;
  #open: { readonly question: RunQuestion; readonly decide: (decision: Decision | undefined) => void } | undefined;

  constructor(onDidChange: () => void) {
    this.#onDidChange = onDidChange;
  }

  get question(): RunQuestion | undefined {
    return this.#open?.question;
  }

  /** Asks, and waits for the user. Returns undefined if the run was stopped instead. */
  async ask<Answer extends Decision>(asked: NewQuestion, signal: AbortSignal): Promise<Answer | undefined> {
    Decisions.#asked += 1;
    const question = { number: Decisions.#asked, ...asked } as RunQuestion;
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

  /** Answers the question with this number. Another question, or none, is ignored: the panel may be late. */
  answerCall(number: number, decision: Decision): void {
    const { question } = this.#open ?? {};
    if (question !== undefined && question.type !== 'cap' && question.number === number) this.#open?.decide(decision);
  }

  answerCap(by: number): void {
    if (this.#open?.question.type === 'cap') this.#open.decide(by);
  }
}
