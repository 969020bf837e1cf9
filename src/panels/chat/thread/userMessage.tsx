import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatState, UserTurn } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { MoreButton, useShownPart } from '../answer/longList.tsx';
import { useFold } from '../answer/useFold.ts';
import { Chip } from '../composer/chip.tsx';
import { modelText, ParametersButton } from '../composer/composer.tsx';
import { type CursorPosition, draftAction } from '../composer/draftKeys.ts';
import { editedState } from '../composer/editedState.ts';
import { onPaste } from '../context/useTransfers.ts';
import { PickerButton } from '../controls/pickerButton.tsx';
import { CodeBlock } from '../markdown/codeBlock.tsx';
import { EditMeter } from '../meter/meterBar.tsx';
import { obstacle } from '../meter/obstacle.ts';
import { useStore } from '../storeContext.ts';
import { Pager } from './pager.tsx';
import { isLong, userParts } from './userText.ts';

/** Only the keys that send and cancel have a meaning in the editor of a message. */
const NOWHERE: CursorPosition = {
  atStart: false,
  isEmpty: false,
  chooses: false,
  hasChips: false,
  chipSelected: false,
};

export function UserMessage({ turn, last }: { readonly turn: UserTurn; readonly last: boolean }) {
  const store = useStore();
  const editing = store.editor.questionId.value === turn.id;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move between turns, Tab enters one
    <article class="turn user" data-turn={turn.id} aria-label={l10n.t('You')} tabIndex={0}>
      <div class="user-box">
        {editing ? <MessageEditor turn={turn} /> : <MessageText turn={turn} />}
        {!editing && turn.attachments.length > 0 && <Attachments attachments={turn.attachments} />}
      </div>
      {!editing && <MessageBar turn={turn} last={last} />}
    </article>
  );
}

function Attachments({ attachments }: Pick<UserTurn, 'attachments'>) {
  const part = useShownPart(attachments.length);
  return (
    <>
      <ul class="chips" aria-label={l10n.t('Attachments')}>
        {attachments.slice(0, part.count).map((attachment) => (
          <li key={attachment.id}>
            <Chip attachment={attachment} />
          </li>
        ))}
      </ul>
      <MoreButton part={part} />
    </>
  );
}

/** Shows what was sent instead of the short sentence, or all of a long text, if the user wants to see it. */
function MessageText({ turn: { id, text, shown } }: { readonly turn: UserTurn }) {
  const long = shown === undefined && isLong(text);
  const [open, toggle] = useFold(`question ${id}`);
  return (
    <>
      <div class={`user-text${long && !open ? ' folded' : ''}`}>
        {userParts(open ? text : (shown ?? text)).map((part, index) => {
          if (part.kind === 'block') return <CodeBlock key={index} text={part.text} info={part.info} growing={false} />;
          return part.kind === 'code' ? <code key={index}>{part.text}</code> : part.text;
        })}
      </div>
      {(long || shown) && (
        <button type="button" class="link" aria-expanded={open} onClick={toggle}>
          {open ? l10n.t('Show less') : shown ? l10n.t('Show what was sent') : l10n.t('Show all')}
        </button>
      )}
    </>
  );
}

/** Below the message if it has versions, otherwise in its corner while the message is hovered or focused. */
function MessageBar({ turn, last }: { readonly turn: UserTurn; readonly last: boolean }) {
  const store = useStore();
  const busy = store.busy.value;
  return (
    <div class={turn.branch === undefined && !last ? 'turn-bar floating' : 'turn-bar'}>
      {store.isConnected.value && (
        <div class="turn-actions">
          <IconButton
            icon="edit"
            label={l10n.t('Edit and send again')}
            disabled={busy}
            onClick={() => store.editor.open(turn.id)}
          />
          {last && (
            <IconButton
              icon="refresh"
              label={l10n.t('Request an answer')}
              disabled={busy}
              onClick={() => store.takeStep('retry', turn.id)}
            />
          )}
          <IconButton
            icon="trash"
            label={l10n.t('Delete question and answers')}
            disabled={busy}
            onClick={() => store.removeTurn(turn.id)}
          />
        </div>
      )}
      {turn.branch !== undefined && <Pager turnId={turn.id} branch={turn.branch} />}
    </div>
  );
}

/** Edits a sent message with its attachments and its model. Sending it creates a new version. */
function MessageEditor({ turn }: { readonly turn: UserTurn }) {
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
