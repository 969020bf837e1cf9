import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AttachmentView, InstructionsView } from '../../../pages/chat/protocol.ts';
import { isLooping } from '../agent/runs.ts';
import { onPaste } from '../context/useTransfers.ts';
import { choiceId } from '../controls/choiceList.tsx';
import type { ChatStore } from '../store.ts';
import { useStore } from '../storeContext.ts';
import { openComparison } from '../turns.ts';
import { Chip } from './chip.tsx';
import type { ComposerState } from './composerState.ts';
import { type DraftAction, draftAction } from './draftKeys.ts';
import { InstructionsChip } from './instructions.tsx';

interface DraftProps {
  readonly attachments: readonly AttachmentView[];
  /** The workspace's instructions, if they are sent. */
  readonly instructions: InstructionsView | undefined;
  /** ID of the attachment that is too large to be sent. */
  readonly large: string | undefined;
}

/** The chips and the text field of the composer. */
export function Draft({ attachments, instructions, large }: DraftProps) {
  const store = useStore();
  const { composition } = store;
  const field = useDraftField();
  const [selected, setSelected] = useState<string>();
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'z';
    if (isUndo && composition.draft.value === '' && store.editor.reopen()) {
      event.preventDefault();
      return;
    }
    const { selectionStart, selectionEnd } = event.currentTarget;
    const last = attachments.at(-1);
    const action = draftAction(event, {
      isEmpty: composition.draft.value === '',
      chooses: composition.choosing !== undefined,
      atStart: selectionStart === 0 && selectionEnd === 0,
      hasChips: last !== undefined,
      chipSelected: last !== undefined && selected === last.id,
    });
    if (action !== 'selectChip') setSelected(undefined);
    if (action === undefined) return;
    event.preventDefault();
    if (action !== 'selectChip' && action !== 'removeChip') ACTS[action](store);
    else if (last !== undefined && action === 'selectChip') setSelected(last.id);
    else if (last !== undefined) store.post({ type: 'detach', attachmentId: last.id });
  };
  return (
    <>
      {(attachments.length > 0 || instructions !== undefined) && (
        <Chips attachments={attachments} instructions={instructions} large={large} selected={selected} />
      )}
      <textarea
        ref={field}
        class="draft"
        dir="auto"
        rows={1}
        aria-label={l10n.t('Message')}
        aria-autocomplete="list"
        {...listOf(store)}
        placeholder={placeholderOf(store)}
        data-opens={store.popover.value === 'context' ? 'context' : 'prompts'}
        value={composition.draft.value}
        onInput={(event) => composition.type(event.currentTarget.value, event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onPaste={(event) => onPaste(store, event)}
        onBlur={() => setSelected(undefined)}
      />
    </>
  );
}

function placeholderOf({ acting, running, state }: ChatStore): string {
  if (acting.value) return l10n.t('Add a message for the next step');
  const loop = isLooping(state.value) ? state.value?.run?.loop : undefined;
  if (loop !== undefined) {
    return loop.kind === 'sameCall' ? l10n.t('Suggest what to try instead') : l10n.t('Specify which one is right');
  }
  if (running.value) return l10n.t('Write a follow-up');
  if (openComparison(state.value).length > 0) return l10n.t('Keep one answer to continue');
  return state.value?.canAct === true && state.value.mode !== 'ask'
    ? l10n.t('Describe a task, or type @ to attach')
    : l10n.t('Ask, or type @ to attach');
}

/** The text field. Moves the focus and the cursor on request. */
function useDraftField() {
  const store = useStore();
  const field = useRef<HTMLTextAreaElement>(null);
  const requests = store.focusRequests.value;
  useLayoutEffect(() => {
    // A panel that is shown again must not take the focus from the editor, which requests the focus if the panel needs
    // it.
    if (requests > 0 || document.hasFocus()) field.current?.focus();
  }, [requests]);
  useEffect(() => {
    const onFocus = () => {
      if (document.activeElement === document.body) field.current?.focus();
    };
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, []);
  const cursor = store.composition.cursor.value;
  useLayoutEffect(() => {
    if (cursor !== undefined) field.current?.setSelectionRange(cursor.at, cursor.at);
  }, [cursor]);
  return field;
}

function Chips({ attachments, instructions, large, selected }: DraftProps & { readonly selected: string | undefined }) {
  const store = useStore();
  return (
    <ul class="chips" aria-label={l10n.t('Attachments')}>
      {instructions !== undefined && (
        <li>
          <InstructionsChip instructions={instructions} />
        </li>
      )}
      {attachments.map((attachment) => (
        <li key={attachment.id}>
          <Chip
            attachment={attachment}
            selected={attachment.id === selected}
            large={attachment.id === large}
            onRemove={() => store.post({ type: 'detach', attachmentId: attachment.id })}
          />
        </li>
      ))}
    </ul>
  );
}

const ACTS: Readonly<Record<Exclude<DraftAction, 'selectChip' | 'removeChip'>, (store: ChatStore) => void>> = {
  send: (store) => store.sending.send(),
  // A run is not stopped by a key that also leaves its cards.
  stop: (store) => {
    if (store.popover.value !== undefined) store.composition.closeChoices();
    else if (!store.acting.value) store.stop();
  },
  editLast: (store) => store.editor.openLast(),
  nextChoice: (store) => store.composition.moveChoice(1),
  previousChoice: (store) => store.composition.moveChoice(-1),
  firstChoice: (store) => store.composition.moveChoice('first'),
  lastChoice: (store) => store.composition.moveChoice('last'),
  useChoice: (store) => store.composition.useChoice(),
  closeChoices: (store) => store.composition.closeChoices(),
};

/** The IDs of the lists that the field's keys control, by popover. */
const LISTS: Readonly<Record<string, string | undefined>> = { prompts: 'prompt-list', context: 'context-list' };

/** The ARIA attributes of a combobox with an open list. HTML allows no other role for a field with several lines. */
function listOf({ popover, composition }: ChatStore) {
  const list = LISTS[popover.value ?? ''];
  if (list === undefined) return {};
  return {
    'aria-haspopup': 'listbox',
    'aria-controls': list,
    'aria-activedescendant': activeRow(composition, list),
  } as const;
}

/** Returns the ID of the active row. */
function activeRow({ choosing, context, prompts }: ComposerState, list: string): string | undefined {
  const { index } = choosing === 'context' ? context.active : prompts.active;
  return choosing === undefined || index.value === -1 ? undefined : choiceId(list, index.value);
}
