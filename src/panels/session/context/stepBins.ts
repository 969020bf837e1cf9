import type { ContextStep } from '../../../pages/session/context/protocol.ts';
import { isAvoidable } from '../../../rules/cacheMiss.ts';
import { CONTEXT_KINDS } from '../../../rules/contextPart.ts';
import { groupTokens } from '../../shared/contextGroups.ts';

/** If there are more steps, several share a slot of the plot. */
const MAX_BINS = 240;

/** One step, or several consecutive ones. */
export interface StepBin {
  readonly label: string;
  readonly steps: readonly ContextStep[];
  /** Tokens of the groups in the largest of the steps. */
  readonly groups: readonly number[];
  readonly total: number;
  readonly isMissed: boolean;
  readonly isCompacted: boolean;
}

/** Groups the steps of the main agent, or all if there is none. Steps are counted as in the whole session. */
export function stepBins(all: readonly ContextStep[]): readonly StepBin[] {
  const numbered = all.map((step, index) => ({ step, number: index + 1 }));
  const main = numbered.filter(({ step }) => step.agentId === undefined);
  const shown = main.length === 0 ? numbered : main;
  const size = Math.ceil(shown.length / MAX_BINS) || 1;
  return Array.from({ length: Math.ceil(shown.length / size) }, (_, nth) => {
    const part = shown.slice(nth * size, (nth + 1) * size);
    const steps = part.map(({ step }) => step);
    const [first, last] = [part[0]?.number ?? 0, part.at(-1)?.number ?? 0];
    const sizes = steps.map(({ tokens }) => tokens.reduce((sum, each) => sum + each, 0));
    const total = Math.max(0, ...sizes);
    return {
      label: first === last ? String(first) : `${first}–${last}`,
      steps,
      groups: groupTokens((kind) => steps[sizes.indexOf(total)]?.tokens[CONTEXT_KINDS.indexOf(kind)] ?? 0),
      total,
      isMissed: steps.some(({ miss }) => miss !== undefined && isAvoidable(miss)),
      isCompacted: steps.some(({ isCompacted }) => isCompacted === true),
    };
  });
}
