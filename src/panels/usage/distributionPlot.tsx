import * as l10n from '@vscode/l10n';
import { formatLatency } from '../../display/time.ts';
import { formatShare } from '../../display/tokens.ts';
import type { UsageDistribution } from '../../pages/usage/protocol.ts';
import { useWidth } from '../shared/hooks.ts';
import { axisFor, labelPlaces } from '../shared/plot/axis.ts';
import { PlotTable } from '../shared/plot/plotTable.tsx';
import { figureColumn, type TableColumn } from '../shared/sortableTable.tsx';
import { count } from './words.ts';

const HEIGHT = 130;
const LABEL_HEIGHT = 22;
const LABEL_WIDTH = 56;

type TimeBar = UsageDistribution['bars'][number];

interface DistributionProps {
  readonly title: string;
  readonly distribution: UsageDistribution | undefined;
}

/** The distribution of times. Each bar covers times up to 41% longer than the previous one. */
export function DistributionPlot({ title, distribution }: DistributionProps) {
  return (
    <section class="section">
      <div class="plot-head">
        <h2>{title}</h2>
        {distribution !== undefined && (
          <span class="readout number">
            {l10n.t('median {0} · p95 {1}', formatLatency(distribution.median), formatLatency(distribution.p95))}
          </span>
        )}
      </div>
      {distribution === undefined ? (
        <p class="nothing">{l10n.t('No answers in this period.')}</p>
      ) : (
        <>
          <Bars distribution={distribution} />
          <PlotTable
            label={title}
            columns={columnsOf(distribution)}
            rows={distribution.bars}
            rowKey={({ from }) => String(from)}
          />
        </>
      )}
    </section>
  );
}

function Bars({ distribution }: { readonly distribution: UsageDistribution }) {
  const [element, width] = useWidth<HTMLDivElement>();
  const { bars, median, p95, exchanges } = distribution;
  const bottom = HEIGHT - LABEL_HEIGHT;
  const { max } = axisFor(Math.max(...bars.map((bar) => bar.exchanges)));
  const step = width / bars.length;
  const label = l10n.t(
    'Of {0} answers, half took up to {1} and 95 percent up to {2}.',
    count(exchanges),
    formatLatency(median),
    formatLatency(p95),
  );
  return (
    <div ref={element} class="plot" role="img" aria-label={label} style={{ height: `${HEIGHT}px` }}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          <line class="grid-line" x1={0} x2={width} y1={bottom} y2={bottom} />
          {bars.map((bar, index) => (
            <rect
              key={bar.from}
              class="bar series-1"
              x={index * step + 1}
              y={bottom - (bar.exchanges / max) * bottom}
              width={Math.max(1, step - 2)}
              height={(bar.exchanges / max) * bottom}
            >
              <title>{`${rangeOf(bar)}: ${count(bar.exchanges)}`}</title>
            </rect>
          ))}
          {[median, p95].map((time) => {
            const x = placeOf(time, bars) * step;
            return <line key={time} class="mark" x1={x} x2={x} y1={0} y2={bottom} />;
          })}
          {labelPlaces(bars.length, width, LABEL_WIDTH).map((index) => (
            <text key={index} class="axis-label" x={index * step} y={HEIGHT - 4} text-anchor="start">
              {formatLatency(bars[index]?.from ?? 0)}
            </text>
          ))}
        </svg>
      )}
    </div>
  );
}

/** Returns the position of a time among the bars, in bars from the first one. */
function placeOf(time: number, bars: readonly TimeBar[]): number {
  const index = bars.findIndex(({ to }) => time < to);
  const bar = bars[index];
  return bar === undefined ? bars.length : index + (time - bar.from) / (bar.to - bar.from);
}

function rangeOf({ from, to }: TimeBar): string {
  return `${formatLatency(from)} – ${formatLatency(to)}`;
}

function columnsOf({ exchanges: all }: UsageDistribution): TableColumn<TimeBar>[] {
  return [
    { key: 'range', label: l10n.t('Time'), value: ({ from }) => from, show: rangeOf },
    figureColumn('exchanges', l10n.t('Requests'), count),
    {
      key: 'share',
      label: l10n.t('Share'),
      isFigure: true,
      value: ({ exchanges }) => exchanges,
      show: ({ exchanges }) => formatShare(exchanges / all),
    },
  ];
}
