import * as l10n from '@vscode/l10n';
import { formatDuration } from '../../display/time.ts';
import { formatTokens, formatTokensExact } from '../../display/tokens.ts';
import type { UsageModel, UsageReport } from '../../pages/usage/protocol.ts';
import { figureColumn, SortableTable, type TableColumn } from '../shared/sortableTable.tsx';
import { ExchangesLink } from './exchangesLink.tsx';
import type { ChartSeries } from './series.ts';
import { boundsOfPeriod } from './slots.ts';
import { hitColumn, savingColumn } from './sumColumns.tsx';
import { costText, modelDoubtText, modelName } from './words.ts';

interface ModelTableProps {
  readonly report: UsageReport;
  readonly series: readonly ChartSeries[];
  /** Whether a team's gateway has recorded the requests, so that Traffic does not have them. */
  readonly isElsewhere?: boolean;
}

/** Each model with its usage, in the color of the plots. */
export function ModelTable({ report, series, isElsewhere = false }: ModelTableProps) {
  return (
    <SortableTable
      label={l10n.t('Models')}
      columns={columnsOf(report, series, isElsewhere)}
      rows={report.models}
      rowKey={({ name }) => name}
      sortedBy="cost"
    />
  );
}

function columnsOf(
  { period }: UsageReport,
  series: readonly ChartSeries[],
  isElsewhere: boolean,
): TableColumn<UsageModel>[] {
  const colors = new Map(series.map(({ model, color }) => [model, color]));
  return [
    {
      key: 'name',
      label: l10n.t('Model'),
      value: ({ name }) => name,
      show: ({ name }) => (
        <>
          <span class={`swatch ${colors.get(name) ?? 'series-others'}`} />
          <span title={name}>{modelName(name)}</span>
        </>
      ),
    },
    figureColumn('exchanges', l10n.t('Requests'), (exchanges, { name }) => (
      <ExchangesLink
        exchanges={exchanges}
        of={modelName(name)}
        filter={isElsewhere ? undefined : { model: name, ...boundsOfPeriod(period) }}
      />
    )),
    figureColumn('inputTokens', l10n.t('In'), shownTokens, 'from-320'),
    figureColumn('outputTokens', l10n.t('Out'), shownTokens, 'from-320'),
    ...(isElsewhere ? [{ ...hitColumn<UsageModel>(), class: 'from-560' }] : []),
    {
      key: 'firstByte',
      label: l10n.t('First token'),
      isFigure: true,
      class: 'from-560',
      value: ({ firstByte }) => firstByte?.median ?? 0,
      show: ({ firstByte }) => (firstByte === undefined ? '–' : formatDuration(firstByte.median)),
    },
    savingColumn(),
    figureColumn(
      'cost',
      l10n.t('Spent'),
      (_, model) => <span title={modelDoubtText(model)}>{costText(model)}</span>,
      'strong',
    ),
  ];
}

function shownTokens(tokens: number) {
  return <span title={formatTokensExact(tokens)}>{formatTokens(tokens)}</span>;
}
