import type { SessionFigures, SessionTurn } from '../../pages/session/protocol.ts';

/** If there are more turns, several share a bar. */
const MAX_BINS = 40;

/** The data of one bar: a turn, or several consecutive turns. */
export interface TurnBin extends SessionFigures {
  /** Label on the axis. */
  readonly label: string;
  readonly turns: readonly SessionTurn[];
  /** Context after the last turn with an answer, in tokens. */
  readonly context: number;
}

/** Groups turns into bars. */
export function turnBins(turns: readonly SessionTurn[]): readonly TurnBin[] {
  const size = Math.ceil(turns.length / MAX_BINS) || 1;
  return Array.from({ length: Math.ceil(turns.length / size) }, (_, nth) => {
    const part = turns.slice(nth * size, (nth + 1) * size);
    const [first, last] = [part[0]?.number ?? 0, part.at(-1)?.number ?? 0];
    const sum = (name: keyof SessionFigures) => part.reduce((total, turn) => total + turn[name], 0);
    return {
      label: first === last ? String(first) : `${first}–${last}`,
      turns: part,
      context: part.findLast(({ context }) => context > 0)?.context ?? 0,
      requests: sum('requests'),
      uncached: sum('uncached'),
      read: sum('read'),
      written: sum('written'),
      longWritten: sum('longWritten'),
      output: sum('output'),
      toolMs: sum('toolMs'),
      cost: sum('cost'),
      subagentCost: sum('subagentCost'),
      saved: sum('saved'),
      avoidable: sum('avoidable'),
    };
  });
}
