import * as l10n from '@vscode/l10n';
import { formatDuration } from '../../display/time.ts';
import { formatTokens, formatTokensExact } from '../../display/tokens.ts';
import type { UsageModel, UsageReport } from '../../pages/usage/protocol.ts';
import { SortableTable, type TableColumn } from '../shared/sortableTable.tsx';
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
    {
      key: 'exchanges',
      label: l10n.t('Requests'),
      isFigure: true,
      value: ({ exchanges }) => exchanges,
      show: ({ exchanges, name }) => (
        <ExchangesLink
          exchanges={exchanges}
          of={modelName(name)}
          filter={isElsewhere ? undefined : { model: name, ...boundsOfPeriod(period) }}
        />
      ),
    },
    {
      key: 'input',
      label: l10n.t('In'),
      isFigure: true,
      class: 'from-320',
      value: ({ inputTokens }) => inputTokens,
      show: ({ inputTokens }) => <span title={formatTokensExact(inputTokens)}>{formatTokens(inputTokens)}</span>,
    },
    {
      key: 'output',
      label: l10n.t('Out'),
      isFigure: true,
      class: 'from-320',
      value: ({ outputTokens }) => outputTokens,
      show: ({ outputTokens }) => <span title={formatTokensExact(outputTokens)}>{formatTokens(outputTokens)}</span>,
    },
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
    {
      key: 'cost',
      label: l10n.t('Spent'),
      isFigure: true,
      class: 'strong',
      value: ({ cost }) => cost,
      show: (model) => <span title={modelDoubtText(model)}>{costText(model)}</span>,
    },
  ];
}
