import type { CapQuestion } from '../pages/chat/protocol.ts';
import type { Decisions } from './decisions.ts';

/** Amounts in US dollars; 0 is no limit. */
export interface RunLimits {
  readonly cap: number;
  readonly stepCap: number;
  readonly maxSteps: number;
}

/** What the next step adds to. */
export interface RunProgress {
  /** The number of requests sent. */
  readonly step: number;
  readonly spent: number;
  /** The estimated cost of the next step. */
  readonly next: number;
  readonly openItems: number;
}

/** What a cap can be raised by. */
const RAISES = [0.5, 1, 2];
const STEP_RAISES = [25, 50, 100];

/** Asks before a step that would exceed a limit. */
export class LimitCheck {
  readonly #decisions: Pick<Decisions, 'ask'>;

  constructor(decisions: Pick<Decisions, 'ask'>) {
    this.#decisions = decisions;
  }

  /** Returns the limits that were raised, or undefined if the run is to stop. */
  async check(progress: RunProgress, limits: RunLimits, signal: AbortSignal): Promise<Partial<RunLimits> | undefined> {
    let current = limits;
    for (let limit = exceeded(progress, current); limit !== undefined; limit = exceeded(progress, current)) {
      const by = await this.#decisions.ask<number>(questionFor(limit, progress, current), signal);
      if (by === undefined || !(by > 0)) return undefined;
      const key = MEMBERS[limit];
      current = { ...current, [key]: current[key] + by };
    }
    return Object.fromEntries(
      Object.entries(current).filter(([key, value]) => limits[key as keyof RunLimits] !== value),
    );
  }
}

const MEMBERS = { run: 'cap', step: 'stepCap', steps: 'maxSteps' } as const;

/** The first limit that the next step would exceed. */
export function exceeded(
  { step, spent, next }: RunProgress,
  { cap, stepCap, maxSteps }: RunLimits,
): CapQuestion['limit'] | undefined {
  if (maxSteps > 0 && step >= maxSteps) return 'steps';
  if (cap > 0 && spent + next > cap) return 'run';
  return stepCap > 0 && next > stepCap ? 'step' : undefined;
}

function questionFor(limit: CapQuestion['limit'], { openItems }: RunProgress, limits: RunLimits): CapQuestion {
  return {
    type: 'cap',
    limit,
    value: limits[MEMBERS[limit]],
    raises: limit === 'steps' ? STEP_RAISES : RAISES,
    openItems,
  };
}
