import type { ContextKind } from '../rules/contextPart.ts';
import { type ContextFinding, type ContextFindingKind, contextFindings } from './contextFindings.ts';
import type { ContextRow } from './contextRow.ts';
import { ContextAdder } from './contextSums.ts';

/** What the requests of one session, or of all, consisted of, for the command line and for administrators. */
export interface ContextReport {
  /** Null for all sessions. */
  readonly session: string | null;
  /** Number of measured requests. */
  readonly requests: number;
  readonly input_tokens: number;
  /** US dollars. */
  readonly input_cost: number;
  /** The most expensive first. Their tokens and costs add up to those of the input. */
  readonly parts: readonly {
    readonly kind: ContextKind;
    readonly name: string | null;
    readonly server: string | null;
    readonly tokens: number;
    readonly requests: number;
    readonly cost: number;
    readonly calls: number;
  }[];
  /** The most expensive first. */
  readonly findings: readonly {
    readonly kind: ContextFindingKind;
    readonly name: string;
    readonly cost: number;
    readonly requests: number;
  }[];
}

/** @param rows in the order of their sessions and times. */
export function contextReport(rows: readonly ContextRow[], session: string | null): ContextReport {
  const adder = new ContextAdder(false);
  for (const row of rows) adder.add(row);
  const { requests, inputTokens, inputCost, parts } = adder.sums;
  const findings = [...Map.groupBy(rows, ({ sessionId }) => sessionId).values()].flatMap(contextFindings);
  return {
    session,
    requests,
    input_tokens: inputTokens,
    input_cost: inputCost,
    parts: parts.map(({ kind, name = null, server = null, allTokens, requests: carried, cost, calls }) => ({
      ...{ kind, name, server, tokens: allTokens, requests: carried, cost, calls },
    })),
    findings: findings.sort(byCost).map(({ kind, name, cost, requests: carried }) => ({
      ...{ kind, name, cost, requests: carried },
    })),
  };
}

function byCost(one: ContextFinding, other: ContextFinding): number {
  return other.cost - one.cost;
}
