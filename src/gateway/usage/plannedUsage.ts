import type { FormatName } from '../../formats/conversation.ts';
import { type UsagePlan, withTurns } from '../core/usagePlan.ts';
import { TurnWatch } from './turnWatch.ts';

/** The most that a request can use. It grows while the service asks its model again, if the answer shows that. */
export class PlannedUsage {
  plan: UsagePlan | undefined;
  /** Called when the service asks its model more often than planned, after the turns were added to the plan. */
  onTurns: ((turns: number) => void) | undefined;
  #watch: TurnWatch | undefined;

  /**
   * Must be called when an answer starts to pass unchanged.
   * @param isShown whether it is a stream that can be read. Other answers do not show how often the model was asked.
   */
  start(format: FormatName, isShown: boolean): void {
    const { turns } = this.plan ?? {};
    if (turns === undefined) return;
    if (isShown) this.#watch = new TurnWatch(format);
    else this.#add(turns.further);
  }

  /** Reads the next chunk of the answer. */
  read(chunk: Uint8Array | string): void {
    if (this.#watch !== undefined) this.#add(this.#watch.push(chunk));
  }

  /** Removes the reserved turn after those that may have started, because the connection is closed before it. */
  leaveNextTurn(): void {
    if (this.plan !== undefined) this.plan = withTurns(this.plan, -1);
  }

  #add(turns: number): void {
    if (turns === 0 || this.plan === undefined) return;
    this.plan = withTurns(this.plan, turns);
    this.onTurns?.(turns);
  }
}
