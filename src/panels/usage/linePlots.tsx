import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { formatDuration } from '../../display/time.ts';
import { formatTokens, formatWindow, spokenTokens } from '../../display/tokens.ts';
import type { UsageMoment, UsageReport, UsageTimes } from '../../pages/usage/protocol.ts';
import { axisFor, axisTime } from '../shared/plot/axis.ts';
import { PlotHead } from '../shared/plot/plotHead.tsx';
import { PlotTable } from '../shared/plot/plotTable.tsx';
import { type Scale, SlotPlot } from '../shared/plot/slotPlot.tsx';
import type { TableColumn } from '../shared/sortableTable.tsx';
import { type Slot, slotsOf } from './slots.ts';
import { timeName } from './spendPlot.tsx';
import { useStore } from './store.ts';

const HEIGHT = 170;

interface Line {
  readonly key: string;
  readonly name: string;
  /** The CSS class of its color, and whether the line is dashed. */
  readonly color: string;
  readonly isDashed?: boolean;
  /** Values by time slot. Slots without a value are unknown. */
  readonly values: ReadonlyMap<string, number>;
}

interface LinePlotProps {
  readonly report: UsageReport;
  readonly title: string;
  /** The area below the first line is filled. */
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** Returns the formatter for the figures of the axis, which are one step apart. */
  readonly formatAxis: (step: number) => (value: number) => string;
  /** True if a slot without a value is a gap, false if it is zero. */
  readonly isGap: boolean;
  /** A one-sentence description of the plot. */
  readonly label: string;
}

/** Lines over the period. The legend shows the values at the band. */
function LinePlot({ report, title, lines, format, formatAxis, isGap, label }: LinePlotProps) {
  const store = useStore();
  const [marked, setMarked] = useState<number>();
  const slots = slotsOf(report);
  const axis = axisFor(Math.max(0, ...lines.flatMap(({ values }) => [...values.values()])));
  const slot = marked === undefined ? undefined : slots[marked];
  const valueAt = ({ values }: Line, { time }: Slot) => values.get(time) ?? (isGap ? undefined : 0);
  return (
    <section class="section">
      <PlotHead
        title={title}
        readout={slot?.label}
        series={lines.map((line) => [
          line.name,
          line.isDashed === true ? `${line.color} dashed` : line.color,
          slot && shown(valueAt(line, slot), format),
        ])}
      />
      <SlotPlot
        slots={slots}
        axis={axis}
        format={formatAxis(axis.step)}
        height={HEIGHT}
        label={label}
        marked={marked}
        onMark={setMarked}
        onChoose={({ from, to }) => store.openTraffic({ from, to })}
      >
        {(scale) =>
          lines.map((line, place) => (
            <Curve
              key={line.key}
              line={line}
              points={slots.map((each, index) => pointOf(valueAt(line, each), index, scale))}
              base={place === 0 ? scale.y(0) : undefined}
            />
          ))
        }
      </SlotPlot>
      <PlotTable label={title} columns={columnsOf(report, lines, format)} rows={slots} rowKey={({ time }) => time} />
    </section>
  );
}

type Point = readonly [x: number, y: number];

function pointOf(value: number | undefined, index: number, scale: Scale): Point | undefined {
  return value === undefined ? undefined : [scale.x(index), scale.y(value)];
}

/** A curve, interrupted by gaps. A point between two gaps is a dot. */
function Curve({
  line,
  points,
  base,
}: {
  readonly line: Line;
  readonly points: readonly (Point | undefined)[];
  readonly base: number | undefined;
}) {
  return (
    <>
      {partsOf(points).map((part) => {
        const [[start] = [0], [end] = [0]] = [part[0], part.at(-1)];
        const path = part.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' L');
        return (
          <g key={start} class={line.color}>
            {base !== undefined && <path class="surface" d={`M${start},${base} L${path} L${end},${base} Z`} />}
            {part.length === 1 ? (
              <circle class="dot" cx={start} cy={part[0]?.[1]} r={2} />
            ) : (
              <path class={`curve ${line.isDashed ? 'dashed' : ''}`} d={`M${path}`} />
            )}
          </g>
        );
      })}
    </>
  );
}

function partsOf(points: readonly (Point | undefined)[]): (readonly Point[])[] {
  const parts: Point[][] = [[]];
  for (const point of points) {
    if (point === undefined) parts.push([]);
    else parts.at(-1)?.push(point);
  }
  return parts.filter((part) => part.length > 0);
}

function columnsOf(report: UsageReport, lines: readonly Line[], format: LinePlotProps['format']): TableColumn<Slot>[] {
  return [
    { key: 'time', label: timeName(report.unit), value: ({ time }) => time, show: ({ label }) => label },
    ...lines.map(
      ({ key, name, values }): TableColumn<Slot> => ({
        key,
        label: name,
        isFigure: true,
        value: ({ time }) => values.get(time) ?? -1,
        show: ({ time }) => shown(values.get(time), format),
      }),
    ),
  ];
}

function shown(value: number | undefined, format: LinePlotProps['format']): string {
  return value === undefined ? '–' : format(value);
}

/** The time to the first token over the period. */
export function FirstTokenPlot({ report }: { readonly report: UsageReport }) {
  const line = (key: keyof UsageTimes, name: string): Line => ({
    key,
    name,
    color: 'series-1',
    isDashed: key === 'p95',
    values: new Map(report.moments.flatMap(({ time, firstByte }) => (firstByte ? [[time, firstByte[key]]] : []))),
  });
  const { firstByte } = report;
  return (
    <LinePlot
      report={report}
      title={l10n.t('Time to first token')}
      lines={[line('p95', l10n.t('p95')), line('median', l10n.t('median'))]}
      format={formatDuration}
      formatAxis={axisTime}
      isGap
      label={
        firstByte === undefined
          ? l10n.t('No answers in this period.')
          : l10n.t(
              'Half of the answers began within {0}, 95 percent within {1}.',
              formatDuration(firstByte.median),
              formatDuration(firstByte.p95),
            )
      }
    />
  );
}

/** Input tokens, cached input tokens, and output tokens. */
export function TokensPlot({ report }: { readonly report: UsageReport }) {
  const line = (key: string, name: string, color: string, value: (moment: UsageMoment) => number) => ({
    key,
    name,
    color,
    values: new Map(report.moments.map((moment) => [moment.time, value(moment)])),
  });
  const { inputTokens, outputTokens } = report.totals;
  return (
    <LinePlot
      report={report}
      title={l10n.t('Tokens')}
      lines={[
        line('input', l10n.t('input'), 'series-0', (moment) => moment.inputTokens),
        { ...line('cached', l10n.t('cached'), 'series-0', (moment) => moment.cachedInputTokens), isDashed: true },
        line('output', l10n.t('output'), 'series-4', (moment) => moment.outputTokens),
      ]}
      format={formatTokens}
      formatAxis={() => formatWindow}
      isGap={false}
      label={l10n.t('{0} input and {1} output in this period.', spokenTokens(inputTokens), spokenTokens(outputTokens))}
    />
  );
}
