import * as l10n from '@vscode/l10n';
import { formatSum } from '../../../display/money.ts';
import { formatWhen } from '../../../display/time.ts';
import type { HistoryGroup, HistoryRow, RunningChat } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';

interface HistoryGroupsProps {
  readonly groups: readonly HistoryGroup[];
  /** IDs of the open chat and of the active row. */
  readonly current: string;
  readonly active: string | undefined;
  readonly onOpen: (row: HistoryRow) => void;
  readonly onPoint: (row: HistoryRow) => void;
}

export function rowId({ id }: HistoryRow): string {
  return `chat-${id}`;
}

export function HistoryGroups({ groups, current, active, onOpen, onPoint }: HistoryGroupsProps) {
  return (
    <div id="history-list" role="listbox" aria-label={l10n.t('Chats')}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
        <div key={group.title} role="group" aria-label={group.title}>
          <div class="history-group number" role="presentation">
            <span>{group.title}</span>
            {group.cost !== undefined && <span class="row-note">{formatSum(group.cost)}</span>}
          </div>
          {group.rows.map((row) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox takes the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the combobox has the focus
            <div
              key={row.id}
              id={rowId(row)}
              role="option"
              class={classOf(row, current, active)}
              aria-selected={row.id === current}
              onClick={() => onOpen(row)}
              onPointerMove={() => onPoint(row)}
            >
              <Row row={row} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function classOf({ id }: HistoryRow, current: string, active: string | undefined): string {
  return `row history-row number${id === current ? ' current' : ''}${id === active ? ' pointed' : ''}`;
}

function Row({ row }: { readonly row: HistoryRow }) {
  const { now, state } = useStore();
  const { title, model, messages, changedAt, cost, pinned, isFork, excerpt } = row;
  const running = state.value?.running?.find(({ id }) => id === row.id);
  const count = messages === 1 ? l10n.t('1 message') : l10n.t('{0} messages', messages);
  return (
    <>
      <span class="row-name" title={title}>
        <bdi>{title}</bdi>
        <span class="row-summary">
          {running !== undefined ? (
            <RunningNote chat={running} />
          ) : excerpt === undefined ? (
            [isFork && l10n.t('Fork'), model, pinned ? count : formatWhen(changedAt, now())]
              .filter((part) => typeof part === 'string')
              .join(' · ')
          ) : (
            <>
              {excerpt[0]}
              <mark>{excerpt[1]}</mark>
              {excerpt[2]}
            </>
          )}
        </span>
      </span>
      {cost !== undefined && <span class="row-cost">{formatSum(cost)}</span>}
    </>
  );
}

function RunningNote({ chat: { isWaiting } }: { readonly chat: RunningChat }) {
  return (
    <span class={`row-running${isWaiting ? ' waiting' : ''}`}>
      {isWaiting ? <Icon name="debug-pause" size={12} /> : <span class="spinner" />}
      {isWaiting ? l10n.t('Waiting for you') : l10n.t('Running')}
    </span>
  );
}
