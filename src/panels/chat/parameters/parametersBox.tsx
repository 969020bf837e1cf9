import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatState, ParameterChange, ParameterName } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { useStore } from '../storeContext.ts';
import { ParameterFields } from './parameterFields.tsx';
import { NOTHING_DECIDED } from './parameterText.ts';

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

/** Shows which parameters the chosen format does not support, so that they have no effect. */
function DroppedNote({ state }: { readonly state: ChatState }) {
  const { dropped = [], own, defaults } = state.parameters;
  if (dropped.length === 0) return null;
  const isDecided = dropped.some((name) => String(own[name] ?? defaults[name] ?? '') !== '');
  const names = dropped.map(nameOf).join(', ');
  return (
    <p class={isDecided ? 'dropped decided' : 'dropped'} role="note">
      <Icon name={isDecided ? 'warning' : 'info'} size={14} />
      <span>{l10n.t('The {0} format does not support: {1}.', state.format, names)}</span>
    </p>
  );
}

function nameOf(name: ParameterName): string {
  switch (name) {
    case 'systemPrompt':
      return l10n.t('System prompt');
    case 'maxTokens':
      return l10n.t('Max output tokens');
    case 'temperature':
      return l10n.t('Temperature');
    case 'reasoningEffort':
      return l10n.t('Reasoning');
    case 'stopSequences':
      return l10n.t('Stop sequences');
  }
}

/** Named sets of parameters. */
function Presets({ names }: { readonly names: readonly string[] }) {
  const store = useStore();
  return (
    <div class="presets">
      <h3 class="presets-title">{l10n.t('Presets')}</h3>
      {names.length > 0 && (
        <ul class="preset-list">
          {names.map((name) => (
            <li key={name} class="preset">
              <button
                type="button"
                class="preset-name"
                title={l10n.t('Use {0}', name)}
                onClick={() => {
                  store.post({ type: 'usePreset', name });
                  store.closePopover();
                }}
              >
                {name}
              </button>
              <IconButton
                icon="trash"
                label={l10n.t('Delete preset {0}', name)}
                onClick={() => store.post({ type: 'removePreset', name })}
              />
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="link" onClick={() => store.post({ type: 'savePreset' })}>
        {l10n.t('Save as preset')}
      </button>
    </div>
  );
}
