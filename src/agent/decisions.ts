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

interface OpenQuestion {
  readonly question: RunQuestion;
  readonly known: () => Decision | undefined;
  readonly decide: (decision: Decision | undefined) => void;
}

/** The questions that a run waits for. The user sees one at a time, the oldest first. */
export class Decisions {
  readonly #onDidChange: () => void;
  /** The number of questions so far, in all runs: the panel may answer one of an earlier run late. */
  static #asked = 0;
  #open: readonly OpenQuestion[] = [];

  constructor(onDidChange: () => void) {
    this.#onDidChange = onDidChange;
  }

  get question(): RunQuestion | undefined {
    return this.#open[0]?.question;
  }

  /**
   * Asks, and waits for the user. Returns undefined if the run was stopped instead.
   * @param known the answer that follows from other ones, once there is one.
   */
  async ask<Answer extends Decision>(
    asked: NewQuestion,
    signal: AbortSignal,
    known: () => Answer | undefined = () => undefined,
  ): Promise<Answer | undefined> {
    Decisions.#asked += 1;
    const question = { number: Decisions.#asked, ...asked } as RunQuestion;
    const { promise, resolve } = Promise.withResolvers<Decision | undefined>();
    const onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    const open = { question, known, decide: resolve };
    this.#open = [...this.#open, open];
    this.#onDidChange();
    try {
      return (await promise) as Answer | undefined;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#open = this.#open.filter((one) => one !== open);
      this.#onDidChange();
    }
  }

  /** Answers the questions whose answer has become known. */
  answerKnown(): void {
    for (const { known, decide } of this.#open) {
      const answer = known();
      if (answer !== undefined) decide(answer);
    }
  }

  /** Answers the question with this number. Another question, or none, is ignored: the panel may be late. */
  answerCall(number: number, decision: Decision): void {
    const open = this.#open.find(({ question }) => question.type !== 'cap' && question.number === number);
    open?.decide(decision);
  }

  answerCap(by: number): void {
    this.#open.find(({ question }) => question.type === 'cap')?.decide(by);
  }
}
