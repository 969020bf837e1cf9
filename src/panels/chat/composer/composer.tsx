import { shortModelName } from '../../../display/models.ts';
import type { ChatState } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import type { Popover } from '../store.ts';
import { useStore } from '../storeContext.ts';
import { withCompared } from './comparing.ts';
import { Draft } from './draft.tsx';
import { Meter } from './meterBar.tsx';
import { UndoNotice } from './undoNotice.tsx';
import { WindowNote } from './windowNote.tsx';

export function Composer({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const compared = store.compared.value;
  return (
    <section class="composer-area" aria-label="Your message">
      <UndoNotice />
      <WindowNote state={state} />
      <div class="composer">
        <Draft attachments={state.attachments} />
        <div class="composer-tools">
          <IconButton icon="attach" label="Attach" onClick={() => store.post({ type: 'attach' })} />
          <PickerButton popover="models" {...modelText(state, compared)} />
          <PickerButton popover="formats" label={`Format: ${state.format}`} text={state.format} class="from-280" />
          <span class="from-340" data-opens="parameters">
            <IconButton
              icon="settings"
              label="Parameters"
              class={Object.keys(state.parameters.own).length > 0 ? 'changed' : ''}
              onClick={() => store.toggle('parameters')}
            />
          </span>
          <SendButton />
        </div>
      </div>
      <Meter state={withCompared(state, compared)} />
    </section>
  );
}

function modelText({ model }: ChatState, compared: readonly string[]) {
  if (compared.length > 1)
    return { label: `${compared.length} models: ${compared.join(', ')}`, text: `${compared.length} models` };
  return model === ''
    ? { label: 'Choose a model', text: 'Model' }
    : { label: `Model: ${model}`, text: shortModelName(model) };
}

interface PickerButtonProps {
  readonly popover: Popover;
  readonly label: string;
  readonly text: string;
  readonly class?: string;
}

function PickerButton({ popover, label, text, ...rest }: PickerButtonProps) {
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
  if (store.running.value !== undefined) {
    return (
      <IconButton class="send stop" icon="debug-stop" label="Stop" shortcut="Escape" onClick={() => store.stop()} />
    );
  }
  const ready = store.canSend.value;
  return (
    <IconButton
      class={ready ? 'send ready' : 'send'}
      icon="send"
      label="Send"
      shortcut="Enter"
      disabled={!ready}
      onClick={() => store.send()}
    />
  );
}
