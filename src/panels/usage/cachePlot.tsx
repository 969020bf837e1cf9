import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { formatSum, spokenMoney } from '../../display/money.ts';
import type { CacheMoment, CacheUsage, UsageReport, UsageUnit } from '../../pages/usage/protocol.ts';
import { axisAround, axisMoney } from '../shared/plot/axis.ts';
import { PlotHead } from '../shared/plot/plotHead.tsx';
import { PlotTable } from '../shared/plot/plotTable.tsx';
import { type Scale, SlotPlot } from '../shared/plot/slotPlot.tsx';
import type { TableColumn } from '../shared/sortableTable.tsx';
import { type Slot, slotsOf } from './slots.ts';
import { timeName } from './spendPlot.tsx';
import { useStore } from './store.ts';

const TITLES: Readonly<Record<UsageUnit, () => string>> = {
  hour: () => l10n.t('By hour'),
  day: () => l10n.t('By day'),
  week: () => l10n.t('By week'),
};

const HEIGHT = 210;
const [WIDEST_BAR, GAP] = [14, 0.8];

/** A slot of the period with its amounts, which are zero without use of a cache. */
interface CacheSlot extends Slot, CacheMoment {}

type CacheSeriesName = 'readsSaved' | 'writesExtra' | 'avoidable';

const SERIES: readonly (readonly [amount: CacheSeriesName, color: string, label: () => string])[] = [
  ['readsSaved', 'series-2', () => l10n.t('saved by reads')],
  ['writesExtra', 'series-1', () => l10n.t('extra for writes')],
  ['avoidable', 'series-3', () => l10n.t('avoidable')],
];

/** What the cache saved, upwards, and what it cost, downwards, from one line at zero. */
export function CachePlot({ report, cache }: { readonly report: UsageReport; readonly cache: CacheUsage }) {
  const store = useStore();
  const [marked, setMarked] = useState<number>();
  const slots = cacheSlots(report, cache);
  const axis = axisAround(
    -Math.max(0, ...slots.map(({ writesExtra, avoidable }) => Math.max(0, writesExtra) + avoidable)),
    Math.max(0, ...slots.map(({ readsSaved }) => readsSaved)),
  );
  const slot = marked === undefined ? undefined : slots[marked];
  const money = axisMoney(axis.step);
  return (
    <section class="section">
      <PlotHead
        title={TITLES[report.unit]()}
        level={3}
        readout={slot?.label}
        series={SERIES.map(([amount, color, label]) => [label(), color, slot && formatSum(slot[amount])])}
      />
      <SlotPlot
        slots={slots}
        axis={axis}
        format={(usd) => (usd < 0 ? `−${money(-usd)}` : money(usd))}
        height={HEIGHT}
        label={l10n.t(
          'Cache reads saved {0}, cache writes cost {1} extra, and avoidable misses cost {2}.',
          spokenMoney(cache.readsSaved),
          spokenMoney(cache.writesExtra),
          spokenMoney(cache.avoidable),
        )}
        marked={marked}
        onMark={setMarked}
        onChoose={({ from, to }) => store.openTraffic({ from, to })}
      >
        {(scale) => slots.map((each, index) => <Bar key={each.time} slot={each} index={index} scale={scale} />)}
      </SlotPlot>
      <PlotTable label={TITLES[report.unit]()} columns={columnsOf(report)} rows={slots} rowKey={({ time }) => time} />
    </section>
  );
}

function cacheSlots(report: UsageReport, { moments }: CacheUsage): readonly CacheSlot[] {
  const known = new Map(moments.map((moment) => [moment.time, moment]));
  const nothing = { readsSaved: 0, writesExtra: 0, avoidable: 0 };
  return slotsOf(report).map((slot) => ({ ...nothing, ...known.get(slot.time), ...slot }));
}

function Bar({ slot, index, scale }: { readonly slot: CacheSlot; readonly index: number; readonly scale: Scale }) {
  const width = Math.min(WIDEST_BAR, scale.slotWidth * 0.72);
  const x = scale.x(index) - width / 2;
  let below = 0;
  return (
    <>
      {SERIES.map(([amount, color]) => {
        const isUp = amount === 'readsSaved';
        const value = Math.max(0, slot[amount]);
        const [top, bottom] = isUp ? [value, 0] : [-below, -below - value];
        if (!isUp) below += value;
        const height = Math.max(0, scale.y(bottom) - scale.y(top) - GAP);
        return height === 0 ? null : (
          <rect key={amount} class={`bar ${color}`} x={x} y={scale.y(top)} width={width} height={height} />
        );
      })}
    </>
  );
}

function columnsOf(report: UsageReport): TableColumn<CacheSlot>[] {
  return [
    { key: 'time', label: timeName(report.unit), value: ({ time }) => time, show: ({ label }) => label },
    ...SERIES.map(
      ([amount, , label]): TableColumn<CacheSlot> => ({
        key: amount,
        label: label(),
        isFigure: true,
        value: (slot) => slot[amount],
        show: (slot) => formatSum(slot[amount]),
      }),
    ),
  ];
}
