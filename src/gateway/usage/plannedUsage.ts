import type { FormatName } from '../../formats/conversation.ts';
import type { OutputSpeeds } from '../../ledger/outputSpeeds.ts';
import { turnsAfter, type UsagePlan, withTurns } from '../core/usagePlan.ts';
import { TurnWatch } from './turnWatch.ts';

/** The most that a request can use. It grows while the service asks its model again, if the answer shows that. */
export class PlannedUsage {
  plan: UsagePlan | undefined;
  /** How fast models write, which bounds what was not reported. */
  speeds: OutputSpeeds | undefined;
  /** Called when the service asks its model more often than planned, after the turns were added to the plan. */
  onTurns: ((turns: number) => void) | undefined;
  /** Whether the answer must be read as it passes, because it may show further calls of the model. */
  isWatching = false;
  #watch: TurnWatch | undefined;
  #calls = 0;

  /** Must be called when a stream starts to pass unchanged. */
  start(format: FormatName): void {
    if (this.plan?.turns === undefined) return;
    this.#watch = new TurnWatch(format);
    this.isWatching = true;
  }

  /** Reads the next bytes of the answer. */
  read(chunk: Buffer): void {
    if (this.#watch !== undefined) this.#add(this.#watch.push(chunk));
  }

  /** Removes the reserved turn after those that may have started, because the connection is closed before it. */
  leaveNextTurn(): void {
    if (this.plan !== undefined) this.plan = withTurns(this.plan, -1);
  }

  #add(calls: number): void {
    if (calls === 0 || this.plan?.turns === undefined) return;
    const before = turnsAfter(this.#calls, this.plan.turns);
    this.#calls += calls;
    const turns = turnsAfter(this.#calls, this.plan.turns) - before;
    if (turns === 0) return;
    this.plan = withTurns(this.plan, turns);
    this.onTurns?.(turns);
  }
}
