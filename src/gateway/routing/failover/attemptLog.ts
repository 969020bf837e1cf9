import type { OutgoingHttpHeaders } from 'node:http';
import type { BilledFailure, ChosenRoute, UpstreamAttempt } from '../../../ledger/upstreamAttempt.ts';
import type { Candidate } from '../callPlan.ts';
import type { Attempt } from './attempt.ts';
import type { Failure } from './failure.ts';
import type { PreparedCall } from './preparedCall.ts';

export interface RunningAttempt {
  readonly candidate: Candidate;
  readonly prepared: PreparedCall;
  readonly attempt: Attempt;
  /** Since the epoch, and on the clock of `performance.now()`, which stays correct if the time is set meanwhile. */
  readonly at: number;
  readonly sentAt: number;
}

const MAX_NAME_LENGTH = 128;

/**
 * The upstreams considered for one request, for the answer's headers and the record. Not needed for a single upstream
 * that answers at once.
 */
export class AttemptLog {
  readonly #route: ChosenRoute | undefined;
  readonly #onAttempt: (attempt: UpstreamAttempt, billed?: BilledFailure) => void;
  readonly #entries: { readonly candidate: Candidate; readonly result: string | number }[] = [];
  #at = 0;
  #since = 0;
  #isUnderWay = false;
  #status: number | undefined;

  constructor(route: ChosenRoute | undefined, onAttempt: (attempt: UpstreamAttempt, billed?: BilledFailure) => void) {
    this.#route = route;
    this.#onAttempt = onAttempt;
  }

  asked({ at, sentAt }: RunningAttempt): void {
    this.#at = at;
    this.#since = sentAt;
    this.#isUnderWay = true;
    this.#status = undefined;
  }

  /** Called when an upstream answers. */
  committed(candidate: Candidate, status: number): void {
    this.#status = status;
    this.#entries.push({ candidate, result: status });
  }

  failed(candidate: Candidate, { error, trigger, billed }: Failure): void {
    const failure = trigger ?? 'request';
    // An upstream that did not answer has no status, whichever status the client receives.
    const status = trigger === 'network' || trigger === 'idle' ? undefined : error.status;
    // An answer that cannot be translated fails after its upstream has answered.
    if (this.#status !== undefined) this.#entries.pop();
    this.#entries.push({ candidate, result: status ?? failure });
    this.#isUnderWay = false;
    this.#report(candidate, { failure, ...(status !== undefined && { status }) }, billed);
  }

  skipped(candidate: Candidate, skipped: string): void {
    this.#entries.push({ candidate, result: `skipped: ${skipped}` });
    this.#at = Date.now();
    this.#since = performance.now();
    this.#report(candidate, { skipped });
  }

  /** Called when the answer has ended or the client has disconnected. */
  ended(candidate: Candidate): void {
    if (!this.#isUnderWay) return;
    this.#isUnderWay = false;
    this.#report(candidate, this.#status === undefined ? {} : { status: this.#status });
  }

  headers(candidate: Candidate): OutgoingHttpHeaders {
    const names = namesOf(candidate);
    if (this.#route === undefined && this.#entries.length < 2) return names;
    const route = this.#describe();
    return route === '' ? names : { ...names, 'x-model-access-route': route };
  }

  /** For example, `coding; rule=0; attempts="a/x 503, b/y 200"`. */
  #describe(): string {
    const { name, rule } = this.#route ?? {};
    const parts = name === undefined ? [] : [headerSafe(name), ...(rule === undefined ? [] : [`rule=${rule}`])];
    if (this.#entries.length > 1) {
      const entries = this.#entries.map(({ candidate, result }) => `${nameOf(candidate)} ${result}`);
      parts.push(`attempts="${entries.join(', ')}"`);
    }
    return parts.join('; ');
  }

  #report({ member, model }: Candidate, facts: Partial<UpstreamAttempt>, billed?: BilledFailure): void {
    const durationMs = Math.round(performance.now() - this.#since);
    this.#onAttempt({ upstream: member.id, model, at: this.#at, durationMs, ...facts }, billed);
  }
}

/** Candidates are kept, and most requests have the same. */
const namesOfCandidates = new WeakMap<Candidate, OutgoingHttpHeaders>();

export function namesOf(candidate: Candidate): OutgoingHttpHeaders {
  const known = namesOfCandidates.get(candidate);
  if (known !== undefined) return known;
  const { member, model } = candidate;
  const names = { 'x-model-access-upstream': headerSafe(member.id), 'x-model-access-model': headerSafe(model) };
  namesOfCandidates.set(candidate, names);
  return names;
}

function nameOf({ member, model }: Candidate): string {
  return `${headerSafe(member.id)}/${headerSafe(model)}`;
}

/** Model names come from callers and upstreams. Line breaks would break the header, and quotes the list in it. */
function headerSafe(name: string): string {
  return name.replace(/[^\w.:/@+-]/g, '_').slice(0, MAX_NAME_LENGTH);
}
