import type { SessionFigures, SessionTurn } from '../../editor/sessions/protocol.ts';

/** More turns than this share their bars. */
const MAX_BINS = 40;

/** What one bar shows: a turn, or several that follow each other. */
export interface TurnBin extends SessionFigures {
  /** On the axis. */
  readonly label: string;
  readonly turns: readonly SessionTurn[];
  /** After its last turn with an answer, in tokens. */
  readonly context: number;
}

/** The turns of each bar. */
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
      cost: sum('cost'),
      subagentCost: sum('subagentCost'),
      saved: sum('saved'),
      avoidable: sum('avoidable'),
    };
  });
}
