import type { TrafficRow } from '../../../pages/traffic/protocol.ts';

type RowAttempt = NonNullable<TrafficRow['attempts']>[number];

type OwnFacts = Pick<TrafficRow, 'attempts' | 'upstream' | 'usage'>;

/** One attempt of a request, on the time axis of the request. */
export interface AttemptLane {
  readonly upstream: string;
  readonly model: string;
  /** Milliseconds from the beginning of the request. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly outcome: 'answered' | 'running' | 'failed' | 'skipped' | 'stopped';
  readonly status?: number;
  /** Why the attempt failed, or what it could not do. */
  readonly reason?: string;
  /** US dollars. Undefined if unknown. */
  readonly cost?: number;
  readonly costIsEstimated: boolean;
}

/** Returns the attempts; empty if only one upstream was asked once. */
export function attemptLanes(row: TrafficRow): readonly AttemptLane[] {
  const { attempts = [] } = row;
  const own = ownAttempt(row);
  const ownCost = costOfAnswer(row);
  const lanes = attempts.map((attempt) => laneOf(row, attempt, attempt === own ? ownCost : undefined));
  return row.end === undefined && attempts.length > 0 ? [...lanes, runningLane(row)] : lanes.length > 1 ? lanes : [];
}

/**
 * Returns when the last attempt failed before another one answered, in milliseconds from the beginning of the request.
 */
export function failedUntil(row: TrafficRow): number | undefined {
  const { attempts = [], at, end } = row;
  const failed = attempts.filter(({ failure }) => failure !== undefined);
  const isReplaced =
    end === undefined || failed.length < attempts.filter(({ skipped }) => skipped === undefined).length;
  if (failed.length === 0 || !isReplaced) return undefined;
  return Math.max(...failed.map((attempt) => attempt.at - at + attempt.durationMs));
}

/** Returns the cost of the answer without failed attempts. */
function costOfAnswer({ cost, usage, attempts = [] }: TrafficRow): number | undefined {
  if (cost === undefined || usage === undefined) return undefined;
  return Math.max(0, cost - attempts.reduce((sum, attempt) => sum + (attempt.cost ?? 0), 0));
}

/** Whether the tokens of the answer are an estimate. The mark of a row may apply only to a failed attempt. */
export function tokensAreEstimated(row: OwnFacts & Pick<TrafficRow, 'usageIsEstimated'>): boolean {
  return row.attempts === undefined ? row.usageIsEstimated === true : ownAttempt(row)?.usageIsEstimated === true;
}

/** Returns the attempt whose usage is the row's: the one that answered, or whose error was returned. */
function ownAttempt({ attempts = [], upstream, usage }: OwnFacts): RowAttempt | undefined {
  const isReturned = (attempt: RowAttempt) =>
    usage !== undefined && attempt.usage === undefined && attempt.upstream === upstream;
  return (
    attempts.find(({ failure, skipped }) => failure === undefined && skipped === undefined) ?? attempts.find(isReturned)
  );
}

function laneOf(row: TrafficRow, attempt: RowAttempt, ownCost: number | undefined): AttemptLane {
  const { upstream, model, at, durationMs, status, failure, skipped, usage, cost, usageIsEstimated } = attempt;
  const fromMs = Math.max(0, at - row.at);
  const isOwn = ownCost !== undefined;
  const reason = failure ?? skipped;
  const paid = isOwn ? ownCost : (cost ?? (failure !== undefined && usage === undefined ? 0 : undefined));
  return {
    upstream,
    model,
    fromMs,
    toMs: Math.min(row.durationMs, fromMs + durationMs),
    outcome: outcomeOf(attempt),
    costIsEstimated: usageIsEstimated === true,
    ...(status !== undefined && { status }),
    ...(reason !== undefined && { reason }),
    ...(paid !== undefined && skipped === undefined && { cost: paid }),
  };
}

function outcomeOf({ failure, skipped, status }: RowAttempt): AttemptLane['outcome'] {
  if (skipped !== undefined) return 'skipped';
  if (failure !== undefined) return 'failed';
  return status === undefined ? 'stopped' : 'answered';
}

function runningLane(row: TrafficRow): AttemptLane {
  const ends = (row.attempts ?? []).map(({ at, durationMs }) => at - row.at + durationMs);
  return {
    upstream: row.upstream ?? '',
    model: row.model ?? '',
    fromMs: Math.min(row.durationMs, Math.max(0, ...ends)),
    toMs: row.durationMs,
    outcome: 'running',
    costIsEstimated: false,
  };
}
