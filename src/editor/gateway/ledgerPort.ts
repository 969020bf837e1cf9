import type { LedgerQuestion, LedgerQuestions } from '../../gateway/ledger/ledgerQuestion.ts';
import type { HostMessage, WorkerMessage } from '../../gateway/worker/protocol.ts';

type LedgerMessage = Extract<WorkerMessage, { type: 'ledgerAnswer' }>;
type Reply = Pick<LedgerMessage, 'answer' | 'problem'>;

/** Questions to the worker about a ledger. */
export class LedgerPort {
  readonly #send: (message: HostMessage) => void;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #lastRequestId = 0;

  constructor(send: (message: HostMessage) => void) {
    this.#send = send;
  }

  /** @throws when the ledger cannot be read. */
  ask<Name extends keyof LedgerQuestions>(
    name: Name,
    asks: LedgerQuestions[Name]['asks'],
  ): Promise<LedgerQuestions[Name]['answer']> {
    this.#lastRequestId += 1;
    const requestId = this.#lastRequestId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(requestId, ({ answer, problem }) => {
        if (answer === undefined) reject(new Error(problem));
        else resolve(answer as LedgerQuestions[Name]['answer']);
      });
      this.#send({ type: 'readLedger', requestId, question: { name, asks } as LedgerQuestion });
    });
  }

  receive({ requestId, ...reply }: Reply & Pick<LedgerMessage, 'requestId'>): void {
    this.#waiting.get(requestId)?.(reply);
    this.#waiting.delete(requestId);
  }

  /** The worker has ended. */
  lose(problem: string): void {
    for (const requestId of [...this.#waiting.keys()]) this.receive({ requestId, problem });
  }
}
