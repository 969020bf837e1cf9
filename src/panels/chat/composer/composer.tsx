import * as l10n from '@vscode/l10n';
import { shortModelName } from '../../../display/models.ts';
import type { ChatState } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { useDrops } from '../context/useTransfers.ts';
import type { Popover } from '../popover.ts';
import { useStore } from '../storeContext.ts';
import { BeforeSending } from './beforeSending.tsx';
import { withCompared } from './comparing.ts';
import { contextWindowOf, largestPart, tokensOver } from './contextWindow.ts';
import { Draft } from './draft.tsx';
import { Meter } from './meterBar.tsx';
import { QueuedRow } from './queuedRow.tsx';
import { UndoNotice } from './undoNotice.tsx';

export function Composer({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const compared = store.compared.value;
  const { instructions } = state.parameters;
  const dropping = useDrops(store);
  return (
    <section class="composer-area" aria-label={l10n.t('Your message')} inert={store.isEditing.value}>
      <UndoNotice />
      <QueuedRow />
      <BeforeSending state={withCompared(state, compared)} />
      <div class={dropping ? 'composer dropping' : 'composer'}>
        <Draft
          attachments={state.attachments}
          instructions={instructions?.isSent === true ? instructions : undefined}
          large={largeAttachment(state)}
        />
        <div class="composer-tools">
          <span data-opens="context">
            <IconButton
              icon="attach"
              label={l10n.t('Attach')}
              shortcut="@"
              onClick={() => store.composition.mention()}
            />
          </span>
          <PickerButton popover="models" {...modelText(state, compared)} />
          <span class="from-340" data-opens="parameters">
            <IconButton
              icon="settings"
              label={l10n.t('Parameters')}
              class={Object.keys(state.parameters.own).length > 0 ? 'changed' : ''}
              onClick={() => store.toggle('parameters')}
            />
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
      <Meter state={withCompared(state, compared)} />
    </section>
  );
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
    : { label: l10n.t('Model: {0}', model), text: shortModelName(model) };
}

interface PickerButtonProps {
  readonly popover: Popover;
  readonly label: string;
  readonly text: string;
  readonly class?: string;
}

export function PickerButton({ popover, label, text, ...rest }: PickerButtonProps) {
  const store = useStore();
  return (
    <button
      type="button"
      class={`picker-button ${rest.class ?? ''}`}
      data-opens={popover}
      aria-haspopup="listbox"
      aria-expanded={store.popover.value === popover}
      aria-label={label}
      title={label}
      onClick={() => store.toggle(popover)}
    >
      <span class="picker-text">{text}</span>
      <Icon name="chevron-down" size={12} />
    </button>
  );
}

function SendButton() {
  const store = useStore();
  if (store.running.value) {
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
  const ready = store.canSend.value;
  return (
    <IconButton
      class={ready ? 'send ready' : 'send'}
      icon="send"
      label={l10n.t('Send')}
      shortcut="Enter"
      disabled={!ready}
      onClick={() => store.send()}
    />
  );
}
