import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../display/money.ts';
import { formatShare } from '../../display/tokens.ts';
import type { MissSums, SessionSums, UsageSessions, UsageState } from '../../editor/usage/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { missWord } from '../shared/missWord.ts';
import { sessionName } from '../shared/sessionName.ts';
import { SortableTable, type TableColumn } from '../shared/sortableTable.tsx';
import { ExchangesLink } from './exchangesLink.tsx';
import { callerName, costText, count, doubtText } from './words.ts';

interface SessionsProps {
  readonly sessions: UsageSessions;
  readonly state: UsageState;
}

/** From here on an avoidable amount is marked: in US dollars, and as a part of the session's cost. */
const MARKED_DOLLARS = 0.3;
const MARKED_PART = 0.12;

const UNKNOWN = '–';

/** The most expensive sessions of the period, and why their caches missed. */
export function Sessions({ sessions, state }: SessionsProps) {
  if (sessions.count === 0) return null;
  return (
    <>
      <section class="section">
        <div class="plot-head">
          <h2>{l10n.t('Sessions')}</h2>
          <span class="readout">
            {sessions.count === 1
              ? l10n.t('1 in this period')
              : l10n.t('{0} in this period, most expensive first', count(sessions.count))}
          </span>
        </div>
        <SessionTable rows={sessions.sessions} state={state} />
      </section>
      {sessions.misses.length > 0 && <Misses misses={sessions.misses} />}
    </>
  );
}

function SessionTable({ rows, state }: { readonly rows: readonly SessionSums[]; readonly state: UsageState }) {
  const columns: TableColumn<SessionSums>[] = [
    {
      key: 'name',
      label: l10n.t('Session'),
      value: ({ at }) => at,
      show: (row) => <span title={row.sessionId}>{nameOf(row, state)}</span>,
    },
    { key: 'model', label: l10n.t('Model'), class: 'from-560', value: ({ model }) => model, show: modelText },
    {
      key: 'turns',
      label: l10n.t('Turns'),
      isFigure: true,
      class: 'from-560',
      value: ({ turns }) => turns,
      show: ({ turns }) => (turns === 0 ? UNKNOWN : count(turns)),
    },
    {
      key: 'exchanges',
      label: l10n.t('Requests'),
      isFigure: true,
      value: ({ exchanges }) => exchanges,
      show: (row) => (
        <ExchangesLink exchanges={row.exchanges} of={nameOf(row, state)} filter={{ sessionId: row.sessionId }} />
      ),
    },
    { key: 'hits', label: l10n.t('Hit rate'), isFigure: true, value: hitRate, show: hitText },
    {
      key: 'avoidable',
      label: l10n.t('Avoidable'),
      isFigure: true,
      class: 'saving',
      value: ({ avoidable }) => avoidable,
      show: (row) => <Avoidable session={row} />,
    },
    {
      key: 'cost',
      label: l10n.t('Spent'),
      isFigure: true,
      class: 'strong',
      value: ({ cost }) => cost,
      show: (row) => <span title={doubtText(row)}>{costText(row)}</span>,
    },
  ];
  return (
    <SortableTable
      label={l10n.t('Sessions')}
      columns={columns}
      rows={rows}
      rowKey={({ sessionId }) => sessionId}
      sortedBy="cost"
    />
  );
}

function Avoidable({ session: { avoidable, cost } }: { readonly session: SessionSums }) {
  if (avoidable === 0) return <>{UNKNOWN}</>;
  const isMarked = avoidable >= MARKED_DOLLARS && avoidable >= MARKED_PART * cost;
  return (
    <span class={isMarked ? 'avoidable' : ''}>
      {isMarked && <Icon name="warning" size={14} />}
      {formatMoney(avoidable)}
    </span>
  );
}

function Misses({ misses }: { readonly misses: readonly MissSums[] }) {
  const most = Math.max(...misses.map(({ cost }) => cost));
  return (
    <section class="section">
      <div class="plot-head">
        <h2>{l10n.t('Avoidable misses by cause')}</h2>
      </div>
      <ul class="bars misses">
        {misses.map(({ reason, exchanges, cost }) => (
          <li key={reason}>
            <span class="bars-name" title={missWord(reason)}>
              {missWord(reason)}
            </span>
            <span class="bars-track">
              <span class="bars-bar" style={{ width: `${most === 0 ? 0 : (100 * cost) / most}%` }} />
            </span>
            <span class="number">{`${count(exchanges)} · ${formatMoney(cost)}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function nameOf(row: SessionSums, state: UsageState): string {
  const tool = row.source === 'gateway' && row.client !== '' ? row.client : callerName(row, state);
  return sessionName(row, { titles: state.conversationTitles, tool });
}

function modelText({ model, otherModels }: SessionSums): string {
  if (otherModels === 0) return model;
  return l10n.t('{0}, {1} more', model, otherModels);
}

function hitRate({ cachedInputTokens, inputTokens }: SessionSums): number {
  return inputTokens === 0 ? 0 : cachedInputTokens / inputTokens;
}

function hitText(row: SessionSums): string {
  return row.inputTokens === 0 ? UNKNOWN : formatShare(hitRate(row));
}
