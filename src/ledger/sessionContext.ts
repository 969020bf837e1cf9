import type { CacheMissReason } from '../rules/cacheMiss.ts';
import { CONTEXT_KINDS } from '../rules/contextPart.ts';
import { type ContextFinding, contextFindings, isCompacted } from './contextFindings.ts';
import type { ContextRow } from './contextRow.ts';
import { ContextAdder, type ContextSums } from './contextSums.ts';
import { toDollars } from './cost.ts';

export interface ContextStep {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Undefined for the main agent. */
  readonly agentId?: string;
  /** Tokens of each of `CONTEXT_KINDS`, in their order. */
  readonly tokens: readonly number[];
  /** Cost of the input in US dollars. */
  readonly cost: number;
  /** The billed tokens for each estimated token. */
  readonly scale: number;
  readonly miss?: CacheMissReason;
  /** Whether a summary has replaced earlier messages. */
  readonly isCompacted?: true;
}

export interface SessionContext extends ContextSums {
  readonly steps: readonly ContextStep[];
  readonly findings: readonly ContextFinding[];
  /** The names of files and commands by their hashes, as far as they were kept. */
  readonly names: Readonly<Record<string, string>>;
}

/** @param rows the requests of one session, the oldest first. */
export function contextOf(rows: readonly ContextRow[]): SessionContext {
  const adder = new ContextAdder(true);
  const before = new Map<string | undefined, ContextRow>();
  const steps = rows.map((row) => {
    adder.add(row);
    const earlier = before.get(row.agentId);
    before.set(row.agentId, row);
    return stepOf(row, earlier);
  });
  return { ...adder.sums, steps, findings: contextFindings(rows), names: namesIn(rows) };
}

function stepOf(row: ContextRow, before: ContextRow | undefined): ContextStep {
  const { id, at, agentId, scale, parts, miss } = row;
  const tokens = CONTEXT_KINDS.map((kind) =>
    parts.reduce((sum, part) => (part.kind === kind ? sum + part.tokens : sum), 0),
  );
  return {
    ...{ id, at, scale, tokens },
    ...(agentId !== undefined && { agentId }),
    cost: toDollars(parts.reduce((sum, { cost = 0 }) => sum + cost, 0)),
    ...(miss !== undefined && { miss: miss.reason }),
    ...(before !== undefined && isCompacted(before, row) && { isCompacted: true }),
  };
}

function namesIn(rows: readonly ContextRow[]): Readonly<Record<string, string>> {
  const named = rows.flatMap(({ parts }) =>
    parts.flatMap(({ file, fileName }) => (file === undefined || fileName === undefined ? [] : [[file, fileName]])),
  );
  return Object.fromEntries(named);
}
