import * as l10n from '@vscode/l10n';
import { useMemo, useState } from 'preact/hooks';
import { formatTokens, formatWindow, spokenTokens } from '../../../display/tokens.ts';
import type { ContextState, ContextStep } from '../../../pages/session/context/protocol.ts';
import { isAvoidable } from '../../../rules/cacheMiss.ts';
import { CONTEXT_KINDS } from '../../../rules/contextPart.ts';
import { CONTEXT_GROUPS, groupTokens } from '../../shared/contextGroups.ts';
import { axisFor } from '../../shared/plot/axis.ts';
import { PlotHead } from '../../shared/plot/plotHead.tsx';
import { type Scale, SlotPlot } from '../../shared/plot/slotPlot.tsx';
import { useStore } from '../store.ts';

const HEIGHT = 190;

interface PlotProps {
  readonly context: ContextState;
  readonly contextWindow: number | undefined;
}

/** The context of the main agent by kind over its steps, with compactions and avoidable misses. */
export function ContextPlot({ context: { steps }, contextWindow }: PlotProps) {
  const store = useStore();
  const [marked, setMarked] = useState<number>();
  const bins = useMemo(() => stepBins(steps), [steps]);
  const bin = marked === undefined ? undefined : bins[marked];
  const axis = axisFor(Math.max(0, ...bins.map(({ total }) => total)));
  const readout = bin && [stepText(bin), contextText(bin.total, contextWindow), ...marksOf(bin)].join(' · ');
  const groups = CONTEXT_GROUPS.map((group, index) => ({ ...group, index })).filter(({ index }) =>
    bins.some((each) => (each.groups[index] ?? 0) > 0),
  );
  return (
    <>
      <PlotHead
        title={l10n.t('What fills the context')}
        readout={readout}
        series={groups.map(({ label, color, index }) => [label(), color, bin && formatTokens(bin.groups[index] ?? 0)])}
      />
      <SlotPlot
        slots={bins}
        axis={axis}
        format={formatWindow}
        height={HEIGHT}
        label={sentence(bins)}
        marked={marked}
        onMark={setMarked}
        onChoose={(chosen: StepBin) => store.showSteps(chosen.steps)}
      >
        {(scale) => (
          <>
            <Areas bins={bins} scale={scale} />
            <Marks bins={bins} scale={scale} />
          </>
        )}
      </SlotPlot>
    </>
  );
}

function Areas({ bins, scale }: { readonly bins: readonly StepBin[]; readonly scale: Scale }) {
  let below = bins.map(() => 0);
  return (
    <>
      {CONTEXT_GROUPS.map(({ color }, group) => {
        const lower = below;
        const upper = bins.map(({ groups }, index) => (lower[index] ?? 0) + (groups[group] ?? 0));
        below = upper;
        if (upper.every((value, index) => value === lower[index])) return null;
        const there = edge(upper, scale);
        const back = edge(lower, scale).toReversed();
        return <path key={color} class={`bar ${color}`} d={`M${[...there, ...back].join(' L')} Z`} />;
      })}
    </>
  );
}

/** A step is drawn over its whole slot, so that a session of one step is visible. */
function edge(values: readonly number[], { x, y, slotWidth }: Scale): readonly string[] {
  const half = slotWidth / 2;
  return values.flatMap((value, index) =>
    [x(index) - half, x(index) + half].map((at) => `${at.toFixed(1)},${y(value).toFixed(1)}`),
  );
}

/** In CSS pixels: the size of a mark, and its distance from the area. */
const [SIZE, GAP, TOP] = [10, 4, 1];

/** Triangles that point up mark misses; those that point down, compactions. */
function Marks({ bins, scale }: { readonly bins: readonly StepBin[]; readonly scale: Scale }) {
  return (
    <>
      {bins.map((bin, index) => {
        if (!bin.isMissed && !bin.isCompacted) return null;
        const at = scale.x(index);
        const top = Math.max(TOP, scale.y(bin.total) - GAP - SIZE);
        const half = SIZE / 2;
        return bin.isCompacted ? (
          <path
            key={bin.label}
            class="compaction-mark"
            d={`M${at - half},${top} H${at + half} L${at},${top + SIZE} Z`}
          />
        ) : (
          <g key={bin.label} class="miss-mark">
            <path d={`M${at},${top} L${at + half},${top + SIZE} H${at - half} Z`} />
          </g>
        );
      })}
    </>
  );
}

function stepText({ label, steps }: StepBin): string {
  return steps.length === 1 ? l10n.t('Step {0}', label) : l10n.t('Steps {0}', label);
}

function marksOf({ isCompacted, isMissed }: StepBin): readonly string[] {
  return [...(isCompacted ? [l10n.t('compacted')] : []), ...(isMissed ? [l10n.t('cache missed')] : [])];
}

function contextText(tokens: number, window: number | undefined): string {
  return window === undefined ? formatTokens(tokens) : l10n.t('{0} of {1}', formatTokens(tokens), formatWindow(window));
}

function sentence(bins: readonly StepBin[]): string {
  const last = bins.at(-1);
  const [largest] = CONTEXT_GROUPS.map(({ label }, index) => [label(), last?.groups[index] ?? 0] as const).toSorted(
    ([, one], [, other]) => other - one,
  );
  return l10n.t('The context has {0}, most of it {1}.', spokenTokens(last?.total ?? 0), largest?.[0] ?? '');
}

/** If there are more steps, several share a slot of the plot. */
const MAX_BINS = 240;

/** One step, or several consecutive ones. */
interface StepBin {
  readonly label: string;
  readonly steps: readonly ContextStep[];
  /** Tokens of the groups in the largest of the steps. */
  readonly groups: readonly number[];
  readonly total: number;
  readonly isMissed: boolean;
  readonly isCompacted: boolean;
}

/** Groups the steps of the main agent, or all if there is none. Steps are counted as in the whole session. */
function stepBins(all: readonly ContextStep[]): readonly StepBin[] {
  const numbered = all.map((step, index) => ({ step, number: index + 1 }));
  const main = numbered.filter(({ step }) => step.agentId === undefined);
  const shown = main.length === 0 ? numbered : main;
  const size = Math.ceil(shown.length / MAX_BINS) || 1;
  return Array.from({ length: Math.ceil(shown.length / size) }, (_, nth) => {
    const part = shown.slice(nth * size, (nth + 1) * size);
    const steps = part.map(({ step }) => step);
    const [first, last] = [part[0]?.number ?? 0, part.at(-1)?.number ?? 0];
    const sizes = steps.map(({ tokens }) => tokens.reduce((sum, each) => sum + each, 0));
    const total = Math.max(0, ...sizes);
    return {
      label: first === last ? String(first) : `${first}–${last}`,
      steps,
      groups: groupTokens((kind) => steps[sizes.indexOf(total)]?.tokens[CONTEXT_KINDS.indexOf(kind)] ?? 0),
      total,
      isMissed: steps.some(({ miss }) => miss !== undefined && isAvoidable(miss)),
      isCompacted: steps.some(({ isCompacted }) => isCompacted === true),
    };
  });
}
