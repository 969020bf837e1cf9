import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatState, UserTurn } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { Chip } from '../composer/chip.tsx';
import { modelText, ParametersButton } from '../composer/composer.tsx';
import { type CursorPosition, draftAction } from '../composer/draftKeys.ts';
import { editedState } from '../composer/editedState.ts';
import { onPaste } from '../context/useTransfers.ts';
import { PickerButton } from '../controls/pickerButton.tsx';
import { EditMeter } from '../meter/meterBar.tsx';
import { obstacle } from '../meter/obstacle.ts';
import { useStore } from '../storeContext.ts';

/** Only the keys that send and cancel have a meaning in the editor of a message. */
const NOWHERE: CursorPosition = {
  atStart: false,
  isEmpty: false,
  chooses: false,
  hasChips: false,
  chipSelected: false,
};

/** Edits a sent message with its attachments and its model. Sending it creates a new version. */
export function MessageEditor({ turn }: { readonly turn: UserTurn }) {
  const store = useStore();
  const [text, setText] = useState(() => store.editor.takeLeftText(turn.id) ?? turn.text);
  const field = useRef<HTMLTextAreaElement>(null);
  useFieldFocus(field);
  useEffect(() => store.post({ type: 'editing', turnId: turn.id, text }), [store, turn.id, text]);
  useEffect(() => () => store.post({ type: 'editingDone' }), [store]);
  const shown = store.state.value;
  const state = shown && editedState(shown);
  const attachments = shown?.edited?.turnId === turn.id ? shown.edited.attachments : turn.attachments;
  const hasContent = text.trim() !== '' || attachments.length > 0;
  const ready = hasContent && !store.busy.value && (state === undefined || obstacle(state) === undefined);
  const send = () => {
    if (ready) store.editor.send(turn.id, text);
  };
  const cancel = () => store.editor.leave(turn.id, text, turn.text);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const action = draftAction(event, NOWHERE);
    if (action === undefined) return;
    event.preventDefault();
    if (action === 'send') send();
    else cancel();
  };
  /** Escape leaves from the buttons as well, unless it closes a list that one of them has opened. */
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || store.popover.value !== undefined) return;
    event.preventDefault();
    event.stopPropagation();
    cancel();
  };
  return (
    <form
      class="message-editor"
      aria-label={l10n.t('Edit question')}
      aria-describedby={`version-${turn.id}`}
      onKeyDown={leave}
    >
      {attachments.length > 0 && <EditedAttachments attachments={attachments} />}
      <textarea
        ref={field}
        class="draft"
        dir="auto"
        aria-label={l10n.t('Edit the message')}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => onPaste(store, event)}
      />
      {state !== undefined && <EditorTools state={state} />}
      {state !== undefined && <EditMeter state={state} previousCost={costOfAnswer(state, turn.id)} />}
      <EditorButtons ready={ready} send={send} cancel={cancel} />
      <p class="version-note" id={`version-${turn.id}`}>
        <Icon name="git-branch" size={14} />
        {versionText(turn)}
      </p>
    </form>
  );
}

function EditedAttachments({ attachments }: Pick<UserTurn, 'attachments'>) {
  const store = useStore();
  return (
    <ul class="chips" aria-label={l10n.t('Attachments')}>
      {attachments.map((attachment) => (
        <li key={attachment.id}>
          <Chip
            attachment={attachment}
            onExchange={() => store.post({ type: 'editVersion', attachmentId: attachment.id })}
            onRemove={() => store.post({ type: 'editDetach', attachmentId: attachment.id })}
          />
        </li>
      ))}
    </ul>
  );
}

function EditorButtons({ ready, send, cancel }: { readonly ready: boolean; send(): void; cancel(): void }) {
  return (
    <div class="buttons">
      <button type="button" class="button primary" aria-disabled={!ready} title={l10n.t('Send (Enter)')} onClick={send}>
        {l10n.t('Send')}
      </button>
      <button type="button" class="button" title={l10n.t('Cancel (Escape)')} onClick={cancel}>
        {l10n.t('Cancel')}
      </button>
    </div>
  );
}

function EditorTools({ state }: { readonly state: ChatState }) {
  const store = useStore();
  return (
    <div class="composer-tools">
      <IconButton icon="attach" label={l10n.t('Attach')} onClick={() => store.post({ type: 'pickContext' })} />
      <PickerButton popover="models" {...modelText(state, [])} />
      <span data-opens="parameters">
        <ParametersButton state={state} />
      </span>
    </div>
  );
}

/** Focuses the field at first, and again after a list was closed. Turns after the question are not reachable. */
function useFieldFocus(field: { readonly current: HTMLTextAreaElement | null }): void {
  const requests = useStore().focusRequests.value;
  useLayoutEffect(() => {
    const element = field.current;
    element?.setSelectionRange(element.value.length, element.value.length);
    const article = element?.closest('article');
    const following: HTMLElement[] = [];
    for (let next = article?.nextElementSibling; next instanceof HTMLElement; next = next.nextElementSibling) {
      following.push(next);
    }
    for (const each of following) each.inert = true;
    return () => {
      for (const each of following) each.inert = false;
    };
  }, [field]);
  useLayoutEffect(() => field.current?.focus(), [field, requests]);
}

/** Returns the cost of the answer to the question, if a single answer follows it. */
function costOfAnswer({ turns }: ChatState, questionId: string): number | undefined {
  const answer = turns[turns.findIndex(({ id }) => id === questionId) + 1];
  return answer?.role === 'assistant' ? answer.figures?.cost : undefined;
}

function versionText({ branch }: UserTurn): string {
  const { count, position } = branch ?? { count: 1, position: 1 };
  return l10n.t('Sending makes version {0}. Version {1} is kept.', count + 1, position);
}
