import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { HistoryRow } from '../../../pages/chat/protocol.ts';
import { IconButton } from '../../shared/iconButton.tsx';
import { isComposing } from '../../shared/keys.ts';
import { useStore } from '../storeContext.ts';
import { rowId } from './historyGroups.tsx';

interface RowActionsProps {
  readonly row: HistoryRow;
  readonly renaming: boolean;
  readonly onRename: () => void;
  /** Called when renaming has ended or the row was removed. */
  readonly onDone: () => void;
}

/** The actions of the active row. They are placed over the row, because a listbox cannot contain buttons. */
export function RowActions({ row, renaming, onRename, onDone }: RowActionsProps) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = document.getElementById(rowId(row));
    if (box.current !== null && place !== null) box.current.style.top = `${place.offsetTop}px`;
  });
  const { id, pinned, title } = row;
  const isRunning = store.state.value?.running?.some((chat) => chat.id === id) === true;
  return (
    <div ref={box} class={`row-actions${renaming ? ' renaming' : ''}`}>
      {renaming ? (
        <TitleField row={row} onDone={onDone} />
      ) : (
        <>
          {isRunning && (
            <IconButton
              icon="debug-stop"
              label={l10n.t('Stop {0}', title)}
              onClick={() => store.post({ type: 'stopChat', conversationId: id })}
            />
          )}
          <IconButton
            icon={pinned ? 'pinned' : 'pin'}
            label={pinned ? l10n.t('Unpin {0}', title) : l10n.t('Pin {0}', title)}
            onClick={() => store.post({ type: 'pinConversation', conversationId: id, pinned: !pinned })}
          />
          <IconButton icon="edit" label={l10n.t('Rename {0}', title)} shortcut="F2" onClick={onRename} />
          <IconButton
            class="from-280"
            icon="export"
            label={l10n.t('Export {0}', title)}
            onClick={() => store.post({ type: 'exportConversation', conversationId: id })}
          />
          <IconButton
            icon="trash"
            label={l10n.t('Delete {0}', title)}
            onClick={() => {
              store.post({ type: 'deleteConversation', conversationId: id });
              onDone();
            }}
          />
        </>
      )}
    </div>
  );
}

function TitleField({ row, onDone }: { readonly row: HistoryRow; readonly onDone: () => void }) {
  const store = useStore();
  const [title, setTitle] = useState(row.title);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    if (event.key === 'Enter') store.post({ type: 'renameConversation', conversationId: row.id, title });
    onDone();
  };
  return (
    <input
      ref={field}
      type="text"
      class="title-field"
      aria-label={l10n.t('Chat title')}
      value={title}
      onInput={(event) => setTitle(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={onDone}
    />
  );
}
