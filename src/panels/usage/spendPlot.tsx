import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { spokenMoney } from '../../display/money.ts';
import type { UsageReport, UsageUnit } from '../../pages/usage/protocol.ts';
import { axisFor, axisMoney } from '../shared/plot/axis.ts';
import { PlotHead } from '../shared/plot/plotHead.tsx';
import { PlotTable } from '../shared/plot/plotTable.tsx';
import { type Scale, SlotPlot } from '../shared/plot/slotPlot.tsx';
import { figureColumn, type TableColumn } from '../shared/sortableTable.tsx';
import { ExchangesLink } from './exchangesLink.tsx';
import type { ChartSeries } from './series.ts';
import { type Stack, type StackedCost, stacksOf } from './slots.ts';
import { useStore } from './store.ts';
import { costText, modelName } from './words.ts';

const TITLES: Readonly<Record<UsageUnit, () => string>> = {
  hour: () => l10n.t('Spend by hour'),
  day: () => l10n.t('Spend by day'),
  week: () => l10n.t('Spend by week'),
};

const HEIGHT = 230;
const WIDEST_BAR = 18;
const GAP = 0.8;

interface SpendProps {
  readonly report: UsageReport;
  readonly series: readonly ChartSeries[];
  /** Whether a team's gateway has recorded the requests, so that Traffic does not have them. */
  readonly isElsewhere?: boolean;
}

/** Spending over the period, stacked by model. The legend shows the values at the band. */
export function SpendPlot({ report, series, isElsewhere = false }: SpendProps) {
  const store = useStore();
  const [marked, setMarked] = useState<number>();
  const stacks = stacksOf(report, series);
  const axis = axisFor(Math.max(0, ...stacks.map(({ total }) => total.cost)));
  const stack = marked === undefined ? undefined : stacks[marked];
  return (
    <section class="section">
      <PlotHead
        title={TITLES[report.unit]()}
        readout={stack && `${stack.slot.label} · ${stackedText(stack.total)}`}
        series={series.map((each, place) => [
          seriesName(each, report, series),
          each.color,
          stack && stackedText(stack.parts[place]),
          each.model,
        ])}
      />
      <SlotPlot
        slots={stacks.map(({ slot }) => slot)}
        axis={axis}
        format={axisMoney(axis.step)}
        height={HEIGHT}
        label={sentence(report, stacks)}
        marked={marked}
        onMark={setMarked}
        onChoose={({ from, to }) => {
          if (!isElsewhere) store.openTraffic({ from, to });
        }}
      >
        {(scale) =>
          stacks.map((each, index) => (
            <Bar key={each.slot.time} stack={each} index={index} series={series} scale={scale} />
          ))
        }
      </SlotPlot>
      {report.totals.exchanges === 0 && <p class="nothing">{l10n.t('Nothing spent in this period')}</p>}
      <SpendTable stacks={stacks} series={series} report={report} isElsewhere={isElsewhere} />
    </section>
  );
}

function stackedText({ cost, estimated }: StackedCost = { cost: 0, estimated: 0 }): string {
  return costText({ cost, estimated, unpriced: 0 });
}

/** Summarizes the plot with the most expensive time and model. */
function sentence(report: UsageReport, stacks: readonly Stack[]): string {
  const [mostExpensive] = stacks.toSorted((a, b) => b.total.cost - a.total.cost);
  const [model] = report.models;
  if (mostExpensive === undefined || model === undefined || mostExpensive.total.cost === 0)
    return l10n.t('Nothing spent in this period');
  return l10n.t(
    '{0} spent, most of it on {1} ({2}). The most expensive model is {3}.',
    spokenMoney(report.totals.cost),
    mostExpensive.slot.label,
    spokenMoney(mostExpensive.total.cost),
    modelName(model.name),
  );
}

function seriesName({ model }: ChartSeries, report: UsageReport, series: readonly ChartSeries[]): string {
  if (model !== undefined) return modelName(model);
  return l10n.t('{0} others', report.models.length - series.length + 1);
}

interface BarProps {
  readonly stack: Stack;
  readonly index: number;
  readonly series: readonly ChartSeries[];
  readonly scale: Scale;
}

function Bar({ stack, index, series, scale }: BarProps) {
  const width = Math.min(WIDEST_BAR, scale.slotWidth * 0.72);
  const x = scale.x(index) - width / 2;
  let below = 0;
  return (
    <>
      {series.map(({ color }, place) => {
        const { cost = 0 } = stack.parts[place] ?? {};
        const [bottom, top] = [scale.y(below), scale.y(below + cost)];
        below += cost;
        const height = Math.max(0, bottom - top - GAP);
        return height === 0 ? null : (
          <rect key={color} class={`bar ${color}`} x={x} y={top} width={width} height={height} />
        );
      })}
    </>
  );
}

function SpendTable({ stacks, series, report, isElsewhere }: SpendProps & { readonly stacks: readonly Stack[] }) {
  const columns: TableColumn<Stack>[] = [
    { key: 'time', label: timeName(report.unit), value: ({ slot }) => slot.time, show: ({ slot }) => slot.label },
    figureColumn('exchanges', l10n.t('Requests'), (exchanges, { slot }) => (
      <ExchangesLink
        exchanges={exchanges}
        of={slot.label}
        filter={isElsewhere ? undefined : { from: slot.from, to: slot.to }}
      />
    )),
    ...series.map(
      (each, place): TableColumn<Stack> => ({
        key: each.color,
        label: seriesName(each, report, series),
        isFigure: true,
        class: 'from-900',
        value: ({ parts }) => parts[place]?.cost ?? 0,
        show: ({ parts }) => stackedText(parts[place]),
      }),
    ),
    {
      key: 'total',
      label: l10n.t('Spent'),
      isFigure: true,
      class: 'strong',
      value: ({ total }) => total.cost,
      show: ({ total }) => stackedText(total),
    },
  ];
  return <PlotTable label={TITLES[report.unit]()} columns={columns} rows={stacks} rowKey={({ slot }) => slot.time} />;
}

const TIME_NAMES: Readonly<Record<UsageUnit, () => string>> = {
  hour: () => l10n.t('Hour'),
  day: () => l10n.t('Day'),
  week: () => l10n.t('Week of'),
};

export const timeName = (unit: UsageUnit): string => TIME_NAMES[unit]();
