import * as l10n from '@vscode/l10n';
import { sessionName, startText } from '../../display/sessionName.ts';
import { formatTokens } from '../../display/tokens.ts';
import type { RunSums, UsageState } from '../../pages/usage/protocol.ts';
import type { UsagePageMessage } from '../../pages/usage/usageMessages.ts';
import { figureColumn, SortableTable, type TableColumn } from '../shared/sortableTable.tsx';
import { MixBar, MixLegend } from './mixBar.tsx';
import { cacheColumns } from './sessionGroups.tsx';
import { useStore } from './store.ts';
import { RowName } from './sumColumns.tsx';
import { count } from './words.ts';

/** The agent's runs of the period, one line each. A run has the name of its chat. */
export function RunTable({ runs, state }: { readonly runs: readonly RunSums[]; readonly state: UsageState }) {
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
    {
      key: 'input',
      label: l10n.t('Input'),
      class: 'from-900 mix',
      value: ({ inputTokens }) => inputTokens,
      show: (row) => <MixBar session={row} />,
    },
    {
      key: 'tokens',
      label: l10n.t('Tokens'),
      isFigure: true,
      class: 'from-560',
      value: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
      show: ({ inputTokens, outputTokens }) => formatTokens(inputTokens + outputTokens),
    },
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
