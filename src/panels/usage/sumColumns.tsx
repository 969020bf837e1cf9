import * as l10n from '@vscode/l10n';
import { formatShare, formatTokens } from '../../display/tokens.ts';
import type { TrafficFilter, UsageSums } from '../../pages/usage/protocol.ts';
import type { TableColumn } from '../shared/sortableTable.tsx';
import { ExchangesLink } from './exchangesLink.tsx';
import { costText, estimateNote, savingText } from './words.ts';

type Sums = Pick<UsageSums, 'exchanges' | 'cost' | 'unpriced' | 'estimated' | 'unconfirmed' | 'cacheSaving'>;

/**
 * Returns a column with the number of requests as a link to them.
 * @param of returns what the requests belong to, for assistive technology.
 */
export function exchangesColumn<Row extends Sums>(
  of: (row: Row) => string,
  filter: (row: Row) => TrafficFilter,
): TableColumn<Row> {
  return {
    key: 'exchanges',
    label: l10n.t('Requests'),
    isFigure: true,
    value: ({ exchanges }) => exchanges,
    show: (row) => <ExchangesLink exchanges={row.exchanges} of={of(row)} filter={filter(row)} />,
  };
}

export function tokensColumn<Row extends Pick<UsageSums, 'inputTokens' | 'outputTokens'>>(): TableColumn<Row> {
  const tokens = ({ inputTokens, outputTokens }: Row) => inputTokens + outputTokens;
  return {
    key: 'tokens',
    label: l10n.t('Tokens'),
    isFigure: true,
    class: 'from-560',
    value: tokens,
    show: (row) => formatTokens(tokens(row)),
  };
}

export function savingColumn<Row extends Sums>(): TableColumn<Row> {
  return {
    key: 'saving',
    label: l10n.t('Saved by cache'),
    isFigure: true,
    class: 'saving',
    value: ({ cacheSaving }) => cacheSaving,
    show: (row) => (
      <span title={l10n.t('Savings from cache reads, minus the extra cost of cache writes')}>{savingText(row)}</span>
    ),
  };
}

export function costColumn<Row extends Sums>(): TableColumn<Row> {
  return {
    key: 'cost',
    label: l10n.t('Spent'),
    isFigure: true,
    class: 'strong',
    value: ({ cost }) => cost,
    show: (row) => <span title={estimateNote(row)}>{costText(row)}</span>,
  };
}

interface NameProps {
  readonly name: string;
  /** The tooltip of the button. */
  readonly title: string;
  readonly onOpen: () => void;
}

/** The name of a row, which opens what it names. */
export function RowName({ name, title, onOpen }: NameProps) {
  return (
    <button type="button" class="name-link" title={title} onClick={onOpen}>
      {name}
    </button>
  );
}

/** Returns a column with the share of the input that was read from the cache. */
export function hitColumn<Row extends Pick<UsageSums, 'inputTokens' | 'cachedInputTokens'>>(): TableColumn<Row> {
  const rate = ({ cachedInputTokens, inputTokens }: Row) => (inputTokens === 0 ? 0 : cachedInputTokens / inputTokens);
  return {
    key: 'hits',
    label: l10n.t('Hit rate'),
    isFigure: true,
    value: rate,
    show: (row) => (row.inputTokens === 0 ? '–' : formatShare(rate(row))),
  };
}
