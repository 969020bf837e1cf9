import * as l10n from '@vscode/l10n';
import { formatDay } from '../../display/day.ts';
import { formatMoney } from '../../display/money.ts';
import { ownClientWord } from '../../display/sessionName.ts';
import type { RunSums, SessionGroup, SessionSums, UsageState } from '../../pages/usage/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { figureColumn, SortableTable, type TableColumn } from '../shared/sortableTable.tsx';
import { costColumn, hitColumn, savingColumn } from './sumColumns.tsx';
import { callerName, count } from './words.ts';

/** From this amount, an avoidable cost is highlighted: in US dollars, and as a share of the session's cost. */
const MARKED_DOLLARS = 0.3;
const MARKED_PART = 0.12;

const UNKNOWN = '–';

/** What a row in the table of sessions represents. */
export type Grouping = 'session' | 'run' | 'tool' | 'day';

export const GROUPINGS: readonly (readonly [Grouping, () => string])[] = [
  ['session', () => l10n.t('Session')],
  ['run', () => l10n.t('Run')],
  ['tool', () => l10n.t('Tool')],
  ['day', () => l10n.t('Day')],
];

interface GroupTableProps {
  readonly by: Exclude<Grouping, 'session' | 'run'>;
  readonly rows: readonly SessionGroup[];
  readonly state: UsageState;
}

/** The sums of all sessions by tool or by day. */
export function GroupTable({ by, rows, state }: GroupTableProps) {
  const name = (row: SessionGroup) => (by === 'day' ? formatDay(row.day) : toolOf(row, state));
  const columns: TableColumn<SessionGroup>[] = [
    {
      key: 'name',
      label: by === 'day' ? l10n.t('Day') : l10n.t('Tool'),
      value: (row) => (by === 'day' ? row.day : name(row)),
      show: name,
    },
    figureColumn('sessions', l10n.t('Sessions'), count),
    figureColumn('exchanges', l10n.t('Requests'), count, 'from-560'),
    ...cacheColumns<SessionGroup>(),
  ];
  return (
    <SortableTable
      label={by === 'day' ? l10n.t('Sessions by day') : l10n.t('Sessions by tool')}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.day} ${row.source} ${row.client} ${row.localKeyId}`}
      {...(by === 'tool' && { sortedBy: 'cost' })}
    />
  );
}

/** The name of a session's tool: the program, or the part of the editor. */
export function toolOf(row: Pick<SessionSums, 'source' | 'client' | 'localKeyId'>, state: UsageState): string {
  return row.source === 'gateway' && row.client !== ''
    ? (ownClientWord(row.client) ?? row.client)
    : callerName(row, state);
}

/**
 * Returns the columns at the end of the tables of sessions: what the cache did, and the cost. In a narrow view they leave
 * their space to the name.
 */
export function cacheColumns<Row extends SessionGroup | SessionSums | RunSums>(): readonly TableColumn<Row>[] {
  return [
    { ...hitColumn<Row>(), class: 'from-480' },
    figureColumn('avoidable', l10n.t('Avoidable'), (_, row) => <Avoidable session={row} />),
    { ...savingColumn<Row>(), class: 'saving from-900' },
    costColumn(),
  ];
}

function Avoidable({ session: { avoidable, cost } }: { readonly session: Pick<SessionSums, 'avoidable' | 'cost'> }) {
  if (avoidable === 0) return <>{UNKNOWN}</>;
  const isMarked = avoidable >= MARKED_DOLLARS && avoidable >= MARKED_PART * cost;
  return (
    <span class={isMarked ? 'avoidable' : ''}>
      {isMarked && <Icon name="warning" size={14} />}
      {formatMoney(avoidable)}
    </span>
  );
}
