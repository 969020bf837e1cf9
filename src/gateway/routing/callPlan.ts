import type { OutgoingHttpHeaders } from 'node:http';
import type { ChosenRoute } from '../../ledger/upstreamAttempt.ts';
import type { ResponseStore } from '../core/responseStore.ts';
import { VendorMemory } from '../translation/vendorMemory.ts';
import type { Member } from './member.ts';
import { DEFAULT_TRIGGERS, type RouteLimits, type Trigger } from './routes/routeEntry.ts';

/** An upstream that offers the requested model, with the upstream's name for it. */
export interface Candidate {
  readonly member: Member;
  readonly model: string;
}

/** Which upstreams are asked for a request, and after which failures the next one is asked. */
export interface CallPlan {
  /** In the order in which they are asked. */
  readonly candidates: readonly Candidate[];
  readonly triggers: ReadonlySet<Trigger>;
  readonly limits: RouteLimits;
  readonly route?: ChosenRoute;
  /** Called when one of the candidates answers. */
  readonly onAnswer?: (candidate: Candidate) => void;
  /** Headers of the answer, if there is only one candidate and it is asked once. */
  readonly headers?: OutgoingHttpHeaders;
  /** True if there is only one upstream, so that the answer does not have to name it. */
  readonly isSingle?: boolean;
}

/** What a call needs beside its plan. */
export interface CallServices {
  /** Earlier answers, and what their vendors need of them. */
  readonly responses: ResponseStore;
  readonly vendor: VendorMemory;
  /** Requests the abilities of several candidates if they matter and are unknown. */
  readonly load: (candidates: readonly Candidate[]) => Promise<unknown> | undefined;
  /** Returns what the request needs and the upstream lacks, or `undefined` if nothing is known to be missing. */
  readonly missing: (candidate: Candidate) => string | undefined;
  /** Returns those of `others` that may accept a request that was too long for `failed`. */
  readonly larger: (failed: Candidate, others: readonly Candidate[]) => Promise<readonly Candidate[]>;
}

/** Returns what a call needs if there is only one candidate. */
export function withoutChoice(responses: ResponseStore): CallServices {
  const vendor = new VendorMemory();
  return { responses, vendor, load: () => undefined, missing: () => undefined, larger: async () => [] };
}

export const DEFAULT_TRIGGER_SET: ReadonlySet<Trigger> = new Set(DEFAULT_TRIGGERS);

/** Whether nothing is known against asking the candidate first. */
export function isHealthy({ member, model }: Candidate): boolean {
  return !member.health.circuit.isOpen && !member.health.pauses.isPaused(model);
}

/** Removes paused candidates unless all are paused, and moves candidates with an open circuit to the end. */
export function inOrder(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length < 2 || candidates.every(isHealthy)) return candidates;
  const ready = candidates.filter(({ member, model }) => !member.health.pauses.isPaused(model));
  const order = ready.length === 0 ? candidates : ready;
  return order.toSorted((a, b) => Number(a.member.health.circuit.isOpen) - Number(b.member.health.circuit.isOpen));
}

/** Removes candidates that lack an ability that the request needs, unless all do. */
export function able(
  candidates: readonly Candidate[],
  missingIn: CallServices['missing'],
  onSkipped: (candidate: Candidate, missing: string) => void,
): readonly Candidate[] {
  const missing = candidates.map(missingIn);
  const others = candidates.filter((_, at) => missing[at] === undefined);
  if (others.length === 0) return candidates;
  for (const [at, candidate] of candidates.entries()) {
    if (missing[at] !== undefined) onSkipped(candidate, missing[at]);
  }
  return others;
}
