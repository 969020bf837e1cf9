import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatState, ParameterChange } from '../../../editor/chat/protocol.ts';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { useStore } from '../storeContext.ts';
import { DroppedNote } from './droppedNote.tsx';
import { ParameterFields } from './parameterFields.tsx';
import { NOTHING_DECIDED } from './parameterText.ts';
import { Presets } from './presets.tsx';

/** The chat's own parameters. An empty field uses the setting. */
export function ParametersBox({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const { own, presets } = state.parameters;
  const first = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  useEffect(() => store.post({ type: 'checkParameters' }), [store]);
  const set = (change: ParameterChange) => store.post({ type: 'setParameters', change });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    // A field reports its change when it loses the focus.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    store.closePopover();
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    store.closePopover();
  };
  return (
    <PopoverBox name="parameters" class="parameters">
      <form
        class="parameter-fields"
        aria-label={l10n.t('Parameters of this chat')}
        onKeyDown={onKeyDown}
        onSubmit={onSubmit}
      >
        <h2 class="card-title">{l10n.t('This chat')}</h2>
        <ParameterFields parameters={state.parameters} first={first} onChange={set} />
        <button type="button" class="link format-link" onClick={() => store.toggle('formats')}>
          {l10n.t('Format: {0}', state.format)}
        </button>
        <DroppedNote state={state} />
        <Presets names={presets} />
        {Object.keys(own).length > 0 && (
          <button
            type="button"
            class="link"
            onClick={() => {
              set(NOTHING_DECIDED);
              store.closePopover();
            }}
          >
            {l10n.t('Reset to settings')}
          </button>
        )}
      </form>
    </PopoverBox>
  );
}
