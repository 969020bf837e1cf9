import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { sessionName, startText } from '../../display/sessionName.ts';
import { formatTokens } from '../../display/tokens.ts';
import type { RunSums, SessionSums, UsageSessions, UsageState } from '../../pages/usage/protocol.ts';
import type { UsagePageMessage } from '../../pages/usage/usageMessages.ts';
import { LinkButton } from '../shared/button.tsx';
import { IconButton } from '../shared/iconButton.tsx';
import { figureColumn, SortableTable, type TableColumn } from '../shared/sortableTable.tsx';
import { GroupChoice } from './groupChoice.tsx';
import { cacheColumns, GROUPINGS, type Grouping, GroupTable, toolOf } from './sessionGroups.tsx';
import { useStore } from './store.ts';
import { exchangesColumn, RowName, tokensColumn } from './sumColumns.tsx';
import { count } from './words.ts';

/** Number of sessions that are listed at first. */
const MAX_SHOWN = 6;
const UNKNOWN = '–';

const PARTS = [
  ['read', 'series-0', () => l10n.t('read')],
  ['written', 'series-1', () => l10n.t('written')],
  ['uncached', 'series-others', () => l10n.t('uncached')],
] as const;

interface SessionsProps {
  readonly sessions: UsageSessions;
  readonly state: UsageState;
}

/** The most expensive sessions of the period. */
export function Sessions({ sessions, state }: SessionsProps) {
  const [chosen, setGrouping] = useState<Grouping>('session');
  if (sessions.count === 0) return null;
  const hasRuns = sessions.runs.length > 0;
  const offered = GROUPINGS.filter(([each]) => each !== 'run' || hasRuns);
  const grouping = chosen === 'run' && !hasRuns ? 'session' : chosen;
  return (
    <section class="section">
      <div class="plot-head">
        <h2 class="hidden-text">{l10n.t('Sessions')}</h2>
        <span class="readout">
          {sessions.count === 1
            ? l10n.t('1 in this period')
            : l10n.t('{0} in this period, most expensive first', count(sessions.count))}
        </span>
      </div>
      <GroupChoice labelId="sessions-by" options={offered} chosen={grouping} onChoose={setGrouping} />
      <GroupedTable grouping={grouping} sessions={sessions} state={state} />
    </section>
  );
}

function GroupedTable({ grouping, sessions, state }: SessionsProps & { readonly grouping: Grouping }) {
  switch (grouping) {
    case 'session':
      return <SessionTable sessions={sessions} state={state} />;
    case 'run':
      return <RunTable runs={sessions.runs} state={state} />;
    default: {
      const rows = grouping === 'tool' ? sessions.byTool : sessions.byDay;
      return <GroupTable key={grouping} by={grouping} rows={rows} state={state} />;
    }
  }
}

function SessionTable({ sessions: { sessions, count: all }, state }: SessionsProps) {
  const store = useStore();
  const [isWhole, setWhole] = useState(false);
  const columns: TableColumn<SessionSums>[] = [
    {
      key: 'name',
      label: l10n.t('Chat or session'),
      value: ({ at }) => at,
      show: (row) => (
        <span class="named-row">
          <RowName
            name={nameOf(row, state)}
            title={l10n.t('Open this session')}
            onOpen={() => store.post({ type: 'openSession', sessionId: row.sessionId })}
          />
          {state.conversationTitles[row.conversationId] !== undefined && (
            <IconButton
              icon="comment-discussion"
              label={l10n.t('Open this chat')}
              onClick={() => store.post({ type: 'openConversation', conversationId: row.conversationId })}
            />
          )}
        </span>
      ),
    },
    { key: 'model', label: l10n.t('Model'), class: 'from-900', value: ({ model }) => model, show: modelText },
    figureColumn('turns', l10n.t('Turns'), (turns) => (turns === 0 ? '–' : count(turns)), 'from-560'),
    {
      ...exchangesColumn<SessionSums>(
        (row) => nameOf(row, state),
        ({ sessionId }) => ({ sessionId }),
      ),
      class: 'from-640',
    },
    mixColumn(),
    ...cacheColumns<SessionSums>(),
  ];
  return (
    <>
      <SortableTable
        label={l10n.t('Sessions')}
        columns={columns}
        rows={sessions}
        rowKey={({ sessionId }) => sessionId}
        sortedBy="cost"
        {...(!isWhole && { limit: MAX_SHOWN })}
      />
      <div class="table-end">
        {sessions.length > MAX_SHOWN && !isWhole && (
          <LinkButton
            label={
              sessions.length === all
                ? l10n.t('All {0} sessions', count(all))
                : l10n.t('The {0} most expensive of {1} sessions', count(sessions.length), count(all))
            }
            onClick={() => setWhole(true)}
          />
        )}
        <MixLegend />
      </div>
    </>
  );
}

function nameOf(row: SessionSums, state: UsageState): string {
  return state.conversationTitles[row.conversationId] ?? sessionName(toolOf(row, state), row.at);
}

function modelText({ model, otherModels }: SessionSums): string {
  return otherModels === 0 ? model : l10n.t('{0}, {1} more', model, otherModels);
}

/** The agent's runs of the period, one line each. A run has the name of its chat. */
function RunTable({ runs, state }: { readonly runs: readonly RunSums[]; readonly state: UsageState }) {
  const store = useStore();
  const nameOf = ({ conversationId, at }: RunSums) =>
    state.conversationTitles[conversationId] ?? sessionName(l10n.t('Agent'), at);
  // The chat may have been deleted, or be on another machine.
  const hasChat = ({ conversationId }: RunSums) => state.conversationTitles[conversationId] !== undefined;
  const columns: TableColumn<RunSums>[] = [
    {
      key: 'name',
      label: l10n.t('Run'),
      value: nameOf,
      show: (row) => (
        <RowName
          name={nameOf(row)}
          title={hasChat(row) ? l10n.t('Open this run in its chat') : l10n.t('Open this run’s session')}
          onOpen={() => store.post(hasChat(row) ? openRun(row) : { type: 'openSession', sessionId: row.sessionId })}
        />
      ),
    },
    {
      key: 'start',
      label: l10n.t('Started'),
      class: 'from-640',
      value: ({ at }) => at,
      show: ({ at }) => startText(at),
    },
    figureColumn('steps', l10n.t('Steps'), count),
    mixColumn(),
    tokensColumn(),
    ...cacheColumns<RunSums>(),
  ];
  return (
    <>
      <SortableTable
        label={l10n.t('Agent runs')}
        columns={columns}
        rows={runs}
        rowKey={({ sessionId, turnId }) => `${sessionId} ${turnId}`}
        sortedBy="cost"
      />
      <div class="table-end">
        <MixLegend />
      </div>
    </>
  );
}

function openRun({ conversationId, at }: RunSums): UsagePageMessage {
  return { type: 'openRun', conversationId, at };
}

type Input = Pick<SessionSums, 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens'>;

function mixColumn<Row extends Input>(): TableColumn<Row> {
  return {
    key: 'input',
    label: l10n.t('Input'),
    class: 'from-900 mix',
    value: ({ inputTokens }) => inputTokens,
    show: (row) => <MixBar session={row} />,
  };
}

/** The proportions of the input. The length of the bar does not represent the size of the input. */
function MixBar({ session }: { readonly session: Input }) {
  const { inputTokens, cachedInputTokens: read, cacheWriteTokens: written } = session;
  if (inputTokens === 0) return <>{UNKNOWN}</>;
  const tokens = { read, written, uncached: Math.max(0, inputTokens - read - written) };
  const text = PARTS.map(([part, , label]) => `${formatTokens(tokens[part])} ${label()}`).join(', ');
  return (
    <span class="mix-bar" role="img" aria-label={text} title={text}>
      {PARTS.map(
        ([part, color]) =>
          tokens[part] > 0 && (
            <i key={part} class={color} style={{ width: `${(100 * tokens[part]) / inputTokens}%` }} />
          ),
      )}
    </span>
  );
}

/** Explains the colors of the bars. */
function MixLegend() {
  return (
    <ul class="legend from-900" aria-hidden="true">
      {PARTS.map(([part, color, label]) => (
        <li key={part}>
          <span class={`swatch ${color}`} />
          {label()}
        </li>
      ))}
    </ul>
  );
}
