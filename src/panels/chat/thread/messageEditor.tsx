import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatState, UserTurn } from '../../../editor/chat/protocol.ts';
import { type DraftPlace, draftAction } from '../composer/draftKeys.ts';
import { EditMeter } from '../composer/meterBar.tsx';
import { obstacle } from '../composer/obstacle.ts';
import { useStore } from '../storeContext.ts';

/** Only the keys that send and leave mean something here. */
const NOWHERE: DraftPlace = {
  atStart: false,
  isEmpty: false,
  chooses: false,
  hasChips: false,
  chipSelected: false,
};

/** The state as it would be if the edited message were in the composer. */
function editedState(state: ChatState): ChatState {
  return { ...state, estimate: state.editEstimate ?? { state: 'none' } };
}

/** Edits the text of a sent message, to send it again as a new version. */
export function MessageEditor({ turn }: { readonly turn: UserTurn }) {
  const store = useStore();
  const [text, setText] = useState(turn.text);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  useEffect(() => store.post({ type: 'editing', turnId: turn.id, text }), [store, turn.id, text]);
  useEffect(() => () => store.post({ type: 'editingDone' }), [store]);
  const state = store.state.value && editedState(store.state.value);
  const ready = text.trim() !== '' && !store.busy.value && (state === undefined || obstacle(state) === undefined);
  const send = () => {
    if (ready) store.sendEdited(turn.id, text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const action = draftAction(event, NOWHERE);
    if (action === undefined) return;
    event.preventDefault();
    if (action === 'send') send();
    else store.closeEditor();
  };
  return (
    <>
      <textarea
        ref={field}
        class="draft"
        dir="auto"
        aria-label={l10n.t('Edit the message')}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {state !== undefined && <EditMeter state={state} />}
      <div class="buttons">
        <button
          type="button"
          class="button primary"
          aria-disabled={!ready}
          title={l10n.t('Send (Enter)')}
          onClick={send}
        >
          {l10n.t('Send')}
        </button>
        <button type="button" class="button" title={l10n.t('Cancel (Escape)')} onClick={() => store.closeEditor()}>
          {l10n.t('Cancel')}
        </button>
      </div>
    </>
  );
}
