import type { FormatName } from '../../formats/conversation.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { UsageCount } from '../core/upstream.ts';
import { type AnswerKind, type Ending, PlannedUsage, type UsagePlan } from './plannedUsage.ts';
import { UsageMeter } from './usageMeter.ts';

/** What one answer used, from whoever knows: the bytes that pass, who has translated it, or the plan of its budget. */
export class AnswerUsage {
  /** Reads along where the answer is passed on as it comes. */
  #meter: UsageMeter | undefined;
  #reported: UsageCount | undefined;
  #planned: PlannedUsage | undefined;

  /** What it may use, when that counts against a budget. */
  plan(plan: UsagePlan, format: WireFormat): void {
    this.#planned = new PlannedUsage(plan, format);
  }

  /** The passing bytes are an answer of this format, which can be read. */
  readAs(format: FormatName, contentType: string): void {
    this.#meter = new UsageMeter(format, contentType);
  }

  start(status: number, kind: AnswerKind): void {
    this.#planned?.start(status, kind);
  }

  /** Called after the chunk was written to the client. The chunk must not be changed any more. */
  add(chunk: Uint8Array | string): void {
    this.#meter?.add(chunk);
    this.#planned?.add(chunk);
  }

  /** Somebody else has read it. */
  report(count: UsageCount): void {
    this.#reported = count;
  }

  get reported(): UsageCount | undefined {
    return this.#reported;
  }

  /** Whether the passing bytes are read. */
  get isRead(): boolean {
    return this.#meter !== undefined;
  }

  /** Whether the passing bytes broke off before their last event. */
  get isCut(): boolean {
    return this.#meter?.isCut === true;
  }

  /** The answer is over. @returns undefined when nobody knows. */
  end(ending: Omit<Ending, 'counted'>): UsageCount | undefined {
    const usage = this.#meter?.end();
    const counted = usage === undefined ? this.#reported : { usage, isEstimated: false };
    return this.#planned ? this.#planned.count({ ...ending, counted }) : counted;
  }
}
