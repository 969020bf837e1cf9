import * as l10n from '@vscode/l10n';
import { formatLatency } from '../../../display/time.ts';
import type { TrafficRow } from '../../../pages/traffic/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { chargeText } from '../words.ts';
import { type AttemptLane, attemptLanes } from './attemptLanes.ts';
import { attemptWord } from './attemptWord.ts';
import type { Phase } from './phases.ts';

const ICONS: Readonly<Record<AttemptLane['outcome'], string>> = {
  answered: 'pass',
  running: 'circle-filled',
  failed: 'error',
  skipped: 'circle-slash',
  stopped: 'circle-slash',
};

/** The upstreams that were considered, on one time axis. Empty if only one was asked once. */
export function Attempts({ row, phases }: { readonly row: TrafficRow; readonly phases: readonly Phase[] }) {
  const lanes = attemptLanes(row);
  if (lanes.length === 0) return null;
  return (
    <section class="attempts">
      <h3 id="attempts">
        {lanes.length === 1 ? l10n.t('1 attempt') : l10n.t('{0} attempts', lanes.length)}
        <span class="aside number">{formatLatency(row.durationMs)}</span>
      </h3>
      <ul aria-labelledby="attempts">
        {lanes.map((lane, nth) => (
          <Lane key={`${lane.upstream}-${lane.fromMs}-${nth}`} lane={lane} nth={nth} row={row} phases={phases} />
        ))}
      </ul>
    </section>
  );
}

interface LaneProps {
  readonly lane: AttemptLane;
  readonly nth: number;
  readonly row: TrafficRow;
  readonly phases: readonly Phase[];
}

function Lane({ lane, nth, row, phases }: LaneProps) {
  const { outcome, upstream, model, fromMs, toMs } = lane;
  const total = Math.max(1, row.durationMs);
  const facts = [attemptWord(lane), ...(outcome === 'skipped' ? [] : [formatLatency(toMs - fromMs)])];
  const label = [
    l10n.t('Attempt {0}', nth + 1),
    `${upstream}/${model}`,
    ...facts,
    ...(outcome === 'skipped' ? [] : [paidWord(lane)]),
  ];
  return (
    <li class={`attempt ${outcome}`} aria-label={label.join(', ')}>
      <Icon name={ICONS[outcome]} size={14} />
      <span class="target" title={`${upstream}/${model}`}>
        {`${upstream}/${model}`} <span class="aside">{facts.join(' · ')}</span>
      </span>
      <span class="lane">
        {barsOf(lane, phases).map(({ kind, fromMs: from, toMs: to }) => (
          <i
            key={`${kind}-${from}`}
            class={`phase ${kind}`}
            style={{ left: `${(from / total) * 100}%`, width: `${((to - from) / total) * 100}%` }}
          />
        ))}
      </span>
      <span class="number paid">{costText(lane)}</span>
    </li>
  );
}

interface Bar extends Omit<Phase, 'kind'> {
  readonly kind: Phase['kind'] | 'failed';
}

/**
 * Returns the bars of an attempt. The answer has the phases of the request; of other attempts only the time is known.
 */
function barsOf({ outcome, fromMs, toMs }: AttemptLane, phases: readonly Phase[]): readonly Bar[] {
  if (outcome === 'skipped') return [];
  if (outcome === 'failed') return [{ kind: 'failed', fromMs, toMs }];
  return phases
    .map(({ kind, ...phase }) => ({ kind, fromMs: Math.max(fromMs, phase.fromMs), toMs: phase.toMs }))
    .filter((phase) => phase.toMs > phase.fromMs);
}

function costText({ cost, costIsEstimated, outcome }: AttemptLane): string {
  if (outcome === 'skipped') return '';
  if (cost === undefined) return '—';
  // As precise as the request's own cost, which must not look smaller than one of its attempts.
  return chargeText({ usageIsEstimated: costIsEstimated }, cost);
}

function paidWord(lane: AttemptLane): string {
  if (lane.cost === 0) return l10n.t('nothing charged');
  return lane.cost === undefined ? l10n.t('cost unknown') : costText(lane);
}
