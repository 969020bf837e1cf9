import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../display/money.ts';
import { sessionName } from '../../display/sessionName.ts';
import { formatShare } from '../../display/tokens.ts';
import type { MissSums, SessionSums, UsageSessions, UsageState } from '../../editor/usage/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { missWord } from '../shared/missWord.ts';
import { SortableTable, type TableColumn } from '../shared/sortableTable.tsx';
import { Bars } from './bars.tsx';
import { useStore } from './store.ts';
import { costColumn, exchangesColumn, RowName, savingColumn } from './sumColumns.tsx';
import { callerName, count } from './words.ts';

interface SessionsProps {
  readonly sessions: UsageSessions;
  readonly state: UsageState;
}

/** From this amount, an avoidable cost is highlighted: in US dollars, and as a share of the session's cost. */
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
  const store = useStore();
  const columns: TableColumn<SessionSums>[] = [
    {
      key: 'name',
      label: l10n.t('Session'),
      value: ({ at }) => at,
      show: (row) => (
        <RowName
          name={nameOf(row, state)}
          title={l10n.t('Open this session')}
          onOpen={() => store.post({ type: 'openSession', sessionId: row.sessionId })}
        />
      ),
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
    exchangesColumn(
      (row) => nameOf(row, state),
      ({ sessionId }) => ({ sessionId }),
    ),
    { key: 'hits', label: l10n.t('Hit rate'), isFigure: true, value: hitRate, show: hitText },
    {
      key: 'avoidable',
      label: l10n.t('Avoidable'),
      isFigure: true,
      class: 'saving',
      value: ({ avoidable }) => avoidable,
      show: (row) => <Avoidable session={row} />,
    },
    savingColumn(),
    costColumn(),
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
  return (
    <section class="section">
      <div class="plot-head">
        <h2>{l10n.t('Avoidable misses by cause')}</h2>
      </div>
      <Bars
        colour="misses"
        rows={misses.map(({ reason, exchanges, cost }) => ({
          key: reason,
          name: missWord(reason),
          value: cost,
          text: `${count(exchanges)} · ${formatMoney(cost)}`,
        }))}
      />
    </section>
  );
}

function nameOf(row: SessionSums, state: UsageState): string {
  const tool = row.source === 'gateway' && row.client !== '' ? row.client : callerName(row, state);
  return state.conversationTitles[row.conversationId] ?? sessionName(tool, row.at);
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
