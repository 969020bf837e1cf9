import type { OutputSpeeds } from '../../ledger/outputSpeeds.ts';
import type { ExchangeEnd } from '../../rules/exchange.ts';
import type { Refusal } from '../core/refusal.ts';
import type { UsagePlan } from '../core/usagePlan.ts';
import type { PlannedUsage } from '../usage/plannedUsage.ts';

export interface Reserving {
  readonly isAnswered: boolean;
  readonly isOver: boolean;
  cutOff(refusal: Refusal, end: ExchangeEnd): void;
}

/** Resolves with the refusal if the usage is not allowed. */
type Reserve = () => Promise<Refusal | undefined>;

/** The usage that an exchange reserves while it runs, if a limit depends on it. */
export class FurtherReservations {
  readonly #exchange: Reserving;
  readonly #planned: PlannedUsage;
  #ofAttempt: Reserve | undefined;
  #lastTurns: Promise<void> | undefined;

  constructor(exchange: Reserving, planned: PlannedUsage) {
    this.#exchange = exchange;
    this.#planned = planned;
  }

  /** Sets the maximum usage of the request, because a limit depends on it. */
  limit(plan: UsagePlan, speeds: OutputSpeeds | undefined): void {
    this.#planned.plan = plan;
    this.#planned.speeds = speeds;
  }

  /** Reserves the usage of a further attempt. */
  set ofAttempt(reserve: Reserve) {
    this.#ofAttempt = reserve;
  }

  /** Reserves the usage of further calls of the service to its model. */
  set ofTurns(reserve: (turns: number) => Promise<Refusal | undefined>) {
    this.#planned.onTurns = (turns) => {
      this.#lastTurns = this.#addTurns(() => reserve(turns), this.#lastTurns);
    };
  }

  /** Whether a further attempt is allowed. If not, the exchange is refused. */
  attempt(): true | Promise<boolean> {
    return this.#ofAttempt === undefined || this.#addAttempt(this.#ofAttempt);
  }

  async #addAttempt(reserve: Reserve): Promise<boolean> {
    const refusal = await reserve();
    if (this.#exchange.isAnswered) return false;
    if (refusal !== undefined) this.#exchange.cutOff(refusal, 'budget');
    return refusal === undefined;
  }

  /** Reserves turns one after the other, and none after the end, because they would not be released. */
  async #addTurns(reserve: Reserve, before: Promise<void> | undefined): Promise<void> {
    await before;
    if (this.#exchange.isOver) return;
    const refusal = await reserve();
    if (refusal === undefined || this.#exchange.isAnswered) return;
    this.#planned.leaveNextTurn();
    this.#exchange.cutOff(refusal, 'budget');
  }
}
