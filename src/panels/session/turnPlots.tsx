import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { formatSum, spokenMoney } from '../../display/money.ts';
import { formatShare, formatTokens, formatWindow, spokenTokens } from '../../display/tokens.ts';
import { turnsText } from '../../display/turns.ts';
import type { SessionFigures, SessionState, SessionTurn } from '../../pages/session/protocol.ts';
import { type Axis, axisFor, axisMoney } from '../shared/plot/axis.ts';
import { PlotHead } from '../shared/plot/plotHead.tsx';
import { type Scale, SlotPlot } from '../shared/plot/slotPlot.tsx';
import { useStore } from './store.ts';
import { TurnTable } from './turnTable.tsx';
import { hitRate, inputOf } from './words.ts';

/** Heights in CSS pixels. */
const HEIGHTS = { context: 190, share: 100, cost: 170 } as const;

const SHARES: Axis = { max: 1, step: 0.5, ticks: [0, 0.5, 1] };

/** Context, cache share, and cost over the turns. The three plots share one band; the legends show its values. */
export function TurnPlots({ state }: { readonly state: SessionState }) {
  const store = useStore();
  const [marked, setMarked] = useState<number>();
  const bins = turnBins(state.turns);
  const bin = marked === undefined ? undefined : bins[marked];
  const name = bin && l10n.t('Turn {0}', bin.label);
  const shared = { slots: bins, marked, onMark: setMarked, onChoose: ({ turns }: TurnBin) => store.showTurns(turns) };
  const contexts = axisFor(Math.max(0, ...bins.map(({ context }) => context)));
  const costs = axisFor(Math.max(0, ...bins.map(({ cost }) => cost)));
  return (
    <section class="section plots">
      <PlotHead
        title={l10n.t('Context size')}
        readout={bin && `${name} · ${contextText(bin.context, state.contextWindow)}`}
        series={INPUT_SERIES.map(([key, label, color]) => [label(), color, bin && formatTokens(bin[key])])}
      />
      <SlotPlot
        {...shared}
        axis={contexts}
        format={formatWindow}
        height={HEIGHTS.context}
        label={contextSentence(state)}
      >
        {(scale) => (
          <>
            <StackedBars bins={bins} parts={contextParts} scale={scale} />
            <MissMarks bins={bins} scale={scale} />
          </>
        )}
      </SlotPlot>
      <PlotHead title={l10n.t('Cache share of input')} readout={bin && `${name} · ${shareText(bin)}`} series={[]} />
      <SlotPlot {...shared} axis={SHARES} format={formatShare} height={HEIGHTS.share} label={shareSentence(state)}>
        {(scale) => <Shares bins={bins} scale={scale} />}
      </SlotPlot>
      <PlotHead
        title={l10n.t('Cost per turn')}
        readout={bin && `${name} · ${formatSum(bin.cost)}`}
        series={COST_SERIES.map(([label, color, value]) => [label(state), color, bin && formatSum(value(bin))])}
      />
      <SlotPlot
        {...shared}
        axis={costs}
        format={axisMoney(costs.step)}
        height={HEIGHTS.cost}
        label={l10n.t('{0} spent in {1}.', spokenMoney(state.totals.cost), turnsText(state.turns.length))}
      >
        {(scale) => <StackedBars bins={bins} parts={costParts} scale={scale} />}
      </SlotPlot>
      <TurnTable turns={state.turns} />
    </section>
  );
}

const INPUT_SERIES = [
  ['read', () => l10n.t('read'), 'series-0'],
  ['written', () => l10n.t('written'), 'series-1'],
  ['uncached', () => l10n.t('uncached'), 'series-others'],
] as const;

type CostSeries = readonly [label: (state: SessionState) => string, color: string, value: (bin: TurnBin) => number];

const COST_SERIES: readonly CostSeries[] = [
  [
    () => l10n.t('main agent'),
    'series-0',
    ({ cost, subagentCost, avoidable }) => Math.max(0, cost - subagentCost - avoidable),
  ],
  [() => l10n.t('avoidable'), 'series-3', ({ cost, avoidable }) => Math.min(cost, avoidable)],
  [subagentsText, 'series-4', ({ subagentCost }) => subagentCost],
];

function costParts(bin: TurnBin): readonly (readonly [color: string, value: number])[] {
  return COST_SERIES.map(([, color, value]) => [color, value(bin)]);
}

/** The subagents by name if all are of one kind. */
function subagentsText({ agentTypes: [only, ...others] }: SessionState): string {
  return only === undefined || others.length > 0 ? l10n.t('subagents') : only;
}

/** Splits the height, which is the context, in the proportions of the turn's whole input. */
function contextParts(bin: TurnBin): readonly (readonly [color: string, value: number])[] {
  const input = inputOf(bin);
  return INPUT_SERIES.map(([key, , color]) => [color, input === 0 ? 0 : (bin.context * bin[key]) / input]);
}

function Shares({ bins, scale }: { readonly bins: readonly TurnBin[]; readonly scale: Scale }) {
  const points = bins.flatMap((bin, index): (readonly [number, number])[] => {
    const share = hitRate(bin);
    return share === undefined ? [] : [[scale.x(index), scale.y(share)]];
  });
  return (
    <g class="series-0">
      <path class="curve" d={`M${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' L')}`} />
      {points.map(([x, y]) => (
        <circle key={x} class="dot" cx={x} cy={y} r={2.5} />
      ))}
    </g>
  );
}

function contextText(context: number, window: number | undefined): string {
  return window === undefined
    ? formatTokens(context)
    : l10n.t('{0} of {1}', formatTokens(context), formatWindow(window));
}

function shareText(bin: TurnBin): string {
  const share = hitRate(bin);
  return share === undefined ? '–' : formatShare(share);
}

function contextSentence({ turns }: SessionState): string {
  const last = turns.findLast(({ context }) => context > 0)?.context ?? 0;
  return l10n.t('The context grew to {0} in {1}.', spokenTokens(last), turnsText(turns.length));
}

function shareSentence({ totals }: SessionState): string {
  return l10n.t('{0} of all input was read from a cache.', formatShare(hitRate(totals) ?? 0));
}

/** In CSS pixels: the size of a mark, its distance from the bar, and the least distance from the upper edge. */
const [SIZE, GAP, TOP] = [11, 4, 1];

/** Marks the turns in which a cache was missed that could have been read. The sections below name them in words. */
function MissMarks({ bins, scale }: { readonly bins: readonly TurnBin[]; readonly scale: Scale }) {
  return (
    <>
      {bins.map((bin, index) => {
        if (!bin.turns.some(({ misses }) => misses.length > 0)) return null;
        const x = scale.x(index);
        const top = Math.max(TOP, scale.y(bin.context) - GAP - SIZE);
        return (
          <g key={bin.label} class="miss-mark">
            <path d={`M${x},${top + 1} L${x + SIZE / 2},${top + SIZE} H${x - SIZE / 2} Z`} />
            <path d={`M${x},${top + 4.2} V${top + 7} M${x},${top + 8.4} V${top + 9.2}`} />
          </g>
        );
      })}
    </>
  );
}

/** Widths and gap in CSS pixels. */
const [MAX_WIDTH, MIN_WIDTH, PART_GAP] = [22, 4, 0.8];

interface StackedBarsProps {
  readonly bins: readonly TurnBin[];
  /** The parts of a bar, from the bottom. */
  readonly parts: (bin: TurnBin) => readonly (readonly [color: string, value: number])[];
  readonly scale: Scale;
}

function StackedBars({ bins, parts, scale }: StackedBarsProps) {
  const width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, scale.slotWidth * 0.6));
  return (
    <>
      {bins.map((bin, index) => {
        let below = 0;
        return parts(bin).map(([color, value]) => {
          const [bottom, top] = [scale.y(below), scale.y(below + value)];
          below += value;
          const height = Math.max(0, bottom - top - PART_GAP);
          return height === 0 ? null : (
            <rect
              key={`${bin.label} ${color}`}
              class={`bar ${color}`}
              x={scale.x(index) - width / 2}
              y={top}
              width={width}
              height={height}
            />
          );
        });
      })}
    </>
  );
}

/** If there are more turns, several share a bar. */
const MAX_BINS = 40;

/** The data of one bar: a turn, or several consecutive turns. */
interface TurnBin extends SessionFigures {
  /** Label on the axis. */
  readonly label: string;
  readonly turns: readonly SessionTurn[];
  /** Context after the last turn with an answer, in tokens. */
  readonly context: number;
}

/** Groups turns into bars. */
function turnBins(turns: readonly SessionTurn[]): readonly TurnBin[] {
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
