import type { AnswerStep, TrafficDetails, TrafficRow } from '../../../pages/traffic/protocol.ts';

export type PhaseKind = 'queue' | 'wait' | 'reasoning' | 'receive';

/** A part of an exchange's duration, in milliseconds from its beginning. */
export interface Phase {
  readonly kind: PhaseKind;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Splits the duration of an exchange into phases without gaps. */
export function phasesOf(
  row: TrafficRow,
  details: TrafficDetails | null | undefined,
  steps: readonly AnswerStep[] = [],
): Phase[] {
  const end = row.durationMs;
  const first = Math.min(end, row.firstByteMs ?? end);
  const asked = Math.min(first, row.queueMs ?? details?.record?.queueMs ?? 0);
  const phases: Phase[] = [
    { kind: 'queue', fromMs: 0, toMs: asked },
    { kind: 'wait', fromMs: asked, toMs: first },
    ...received(first, end, steps),
  ];
  return phases.filter(({ fromMs, toMs }) => toMs > fromMs);
}

/** Splits the time of receiving. Everything that is not reasoning counts as the answer. */
function received(first: number, end: number, steps: readonly AnswerStep[]): Phase[] {
  const turns = steps
    .filter(({ kind }) => kind !== 'finish' && kind !== 'error')
    .map(({ atMs, kind }) => ({
      atMs: Math.min(end, Math.max(first, atMs)),
      kind: kind === 'reasoning' ? 'reasoning' : 'receive',
    }))
    .filter(({ kind }, nth, all) => kind !== (all[nth - 1]?.kind ?? 'receive'));
  const borders = [{ atMs: first, kind: 'receive' }, ...turns];
  return borders.map(({ atMs, kind }, nth) => ({
    kind: kind as PhaseKind,
    fromMs: atMs,
    toMs: borders[nth + 1]?.atMs ?? end,
  }));
}
