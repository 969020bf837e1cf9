import * as l10n from '@vscode/l10n';
import { formatShare } from '../../display/tokens.ts';
import type { TrafficFilter, UsageReport, UsageState, UsageSums } from '../../pages/usage/protocol.ts';
import { SortableTable, type TableColumn } from '../shared/sortableTable.tsx';
import { Bars } from './bars.tsx';
import { boundsOfPeriod } from './slots.ts';
import { costColumn, exchangesColumn, savingColumn } from './sumColumns.tsx';
import { callerName, costText } from './words.ts';

const MAX_BARS = 6;

/** The sums of a named group of exchanges, with a filter that lists them. */
interface NamedSums extends UsageSums {
  readonly key: string;
  readonly name: string;
  readonly filter: TrafficFilter;
}

interface ReportProps {
  readonly report: UsageReport;
  readonly state: UsageState;
}

/** The largest spenders, as bars. */
export function CallerBars({ report, state }: ReportProps) {
  const callers = callersOf(report, state).slice(0, MAX_BARS);
  return (
    <section class="section">
      <div class="plot-head">
        <h2>{l10n.t('Spend by tool or key')}</h2>
      </div>
      <Bars
        color="series-0"
        rows={callers.map((caller) => ({ ...caller, value: caller.cost, text: costText(caller) }))}
      />
    </section>
  );
}

export function CallerTable({ report, state }: ReportProps) {
  const name = l10n.t('Tool or key');
  const total = report.totals.cost;
  const columns: TableColumn<NamedSums>[] = [
    { key: 'name', label: name, value: (row) => row.name, show: (row) => <span title={row.name}>{row.name}</span> },
    exchangesColumn(
      (row) => row.name,
      (row) => row.filter,
    ),
    {
      key: 'share',
      label: l10n.t('Share'),
      isFigure: true,
      class: 'from-560',
      value: ({ cost }) => cost,
      show: ({ cost }) => (total === 0 ? '–' : formatShare(cost / total)),
    },
    savingColumn(),
    costColumn(),
  ];
  const rows = callersOf(report, state);
  return <SortableTable label={name} columns={columns} rows={rows} rowKey={({ key }) => key} sortedBy="cost" />;
}

function callersOf(report: UsageReport, state: UsageState): NamedSums[] {
  const bounds = boundsOfPeriod(report.period);
  return report.callers.map((caller) => ({
    ...caller,
    key: `${caller.source} ${caller.localKeyId}`,
    name: callerName(caller, state),
    filter: {
      source: caller.source,
      ...(caller.localKeyId !== '' && { localKeyId: caller.localKeyId }),
      ...bounds,
    },
  }));
}
