import * as l10n from '@vscode/l10n';
import type { ChatState } from '../../../pages/chat/protocol.ts';
import { LinkButton } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { agentParts } from '../agent/lateParts.ts';
import { useDrops } from '../context/useTransfers.ts';
import { PickerButton } from '../controls/pickerButton.tsx';
import { contextWindowOf, largestPart, tokensOver } from '../meter/contextWindow.ts';
import { Meter } from '../meter/meterBar.tsx';
import { useStore } from '../storeContext.ts';
import { BeforeSending } from './beforeSending.tsx';
import { withCompared } from './comparing.ts';
import { Draft } from './draft.tsx';
import { ModeButton } from './modeButton.tsx';
import { UndoNotice } from './undoNotice.tsx';

export function Composer({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const compared = store.models.compared.value;
  const { instructions } = state.parameters;
  const dropping = useDrops(store);
  return (
    <section class="composer-area" aria-label={l10n.t('Your message')} inert={store.editor.isOpen.value}>
      <UndoNotice />
      <RunRows state={state} />
      <QueuedRow />
      <BeforeSending state={withCompared(state, compared)} />
      <div class={dropping ? 'composer dropping' : 'composer'}>
        <Draft
          attachments={state.attachments}
          instructions={instructions?.isSent === true ? instructions : undefined}
          large={largeAttachment(state)}
        />
        {store.sending.refusal.value !== undefined && (
          <p class="composer-refusal" role="alert">
            {store.sending.refusal.value === 'window'
              ? l10n.t('Not sent: the message does not fit the context window.')
              : l10n.t('Not sent: the balance does not cover it.')}
          </p>
        )}
        <div class="composer-tools">
          <span data-opens="context">
            <IconButton
              icon="attach"
              label={l10n.t('Attach')}
              shortcut="@"
              onClick={() => store.composition.mention()}
            />
          </span>
          {state.canAct && <ModeButton mode={state.mode} agent={state.agent} />}
          <PickerButton popover="models" {...modelText(state, compared)} />
          <span class="from-340" data-opens="parameters">
            <ParametersButton state={state} />
          </span>
          <span class="below-340" data-opens="more">
            <IconButton
              icon="ellipsis"
              label={l10n.t('More')}
              class={Object.keys(state.parameters.own).length > 0 ? 'changed' : ''}
              onClick={() => store.toggle('more')}
            />
          </span>
          <SendButton />
        </div>
      </div>
      <NextCost state={withCompared(state, compared)} />
    </section>
  );
}

/** The commands of the chat that go on, and the files that the last run has changed. */
function RunRows({ state: { run } }: { readonly state: ChatState }) {
  const parts = agentParts.current;
  if (run === undefined || parts === undefined) return null;
  const { commands = [], changes } = run;
  return (
    <>
      {commands.length > 0 && <parts.CommandList commands={commands} />}
      <parts.ChangesRow changes={changes} />
    </>
  );
}

/** What comes next: a step of the run, or the request. */
function NextCost({ state }: { readonly state: ChatState }) {
  const { run } = state;
  const next = run === undefined || run.state === 'done' ? undefined : run.next;
  if (next === undefined) return <Meter state={state} />;
  const parts = agentParts.current;
  return parts === undefined ? null : <parts.NextMeter state={state} next={next} />;
}

/** Returns the ID of the largest attachment of a request that does not fit. */
function largeAttachment(state: ChatState): string | undefined {
  if (tokensOver(state.estimate, contextWindowOf(state)) === 0) return undefined;
  const part = largestPart(state);
  return part.kind === 'attachment' ? part.attachment.id : undefined;
}

export function modelText({ model }: Pick<ChatState, 'model'>, compared: readonly string[]) {
  if (compared.length > 1) {
    const text = l10n.t('{0} models', compared.length);
    return { label: l10n.t('{0} models: {1}', compared.length, compared.join(', ')), text };
  }
  return model === ''
    ? { label: l10n.t('Choose a model'), text: l10n.t('Model') }
    : { label: l10n.t('Model: {0}', model), text: model };
}

function SendButton() {
  const store = useStore();
  if (store.running.value && !store.acting.value) {
    return (
      <IconButton
        class="send stop"
        icon="debug-stop"
        label={l10n.t('Stop')}
        shortcut="Escape"
        onClick={() => store.stop()}
      />
    );
  }
  const ready = store.sending.isPossible.value;
  return (
    <IconButton
      class={ready ? 'send ready' : 'send'}
      icon="send"
      label={l10n.t('Send')}
      shortcut="Enter"
      disabled={!ready}
      onClick={() => store.sending.send()}
    />
  );
}

/** The row above the composer that shows the queued message, with actions to change or delete it. */
function QueuedRow() {
  const store = useStore();
  const text = store.queue.text.value;
  if (text === '') return null;
  const running = store.busy.value;
  return (
    <section class="queued" aria-label={l10n.t('Queued message')}>
      <Icon name="clockface" />
      <span class="queued-text" dir="auto" title={text}>
        {text}
      </span>
      {running ? (
        <span class="queued-note from-340">{l10n.t('Sends next')}</span>
      ) : (
        <LinkButton label={l10n.t('Send Now')} onClick={() => store.queue.sendNow()} />
      )}
      <IconButton icon="edit" label={l10n.t('Edit queued message')} onClick={() => store.queue.edit()} />
      <IconButton icon="trash" label={l10n.t('Delete queued message')} onClick={() => store.queue.remove()} />
    </section>
  );
}

export function ParametersButton({ state }: { readonly state: ChatState }) {
  const store = useStore();
  return (
    <IconButton
      icon="settings"
      label={l10n.t('Parameters')}
      class={Object.keys(state.parameters.own).length > 0 ? 'changed' : ''}
      onClick={() => store.toggle('parameters')}
    />
  );
}
