import * as l10n from '@vscode/l10n';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatState, ParameterChange, ParameterName, ParametersView } from '../../../pages/chat/protocol.ts';
import { REASONING_EFFORTS } from '../../../rules/reasoningEffort.ts';
import { LinkButton } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { useStore } from '../storeContext.ts';
import { effortText, NOTHING_DECIDED, numberIn, stopSequencesIn } from './parameterText.ts';

const NAMES: Readonly<Record<ParameterName, () => string>> = {
  systemPrompt: () => l10n.t('System prompt'),
  maxTokens: () => l10n.t('Max output tokens'),
  temperature: () => l10n.t('Temperature'),
  reasoningEffort: () => l10n.t('Reasoning'),
  stopSequences: () => l10n.t('Stop sequences'),
};

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
          <LinkButton
            label={l10n.t('Reset to settings')}
            onClick={() => {
              set(NOTHING_DECIDED);
              store.closePopover();
            }}
          />
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
  const names = dropped.map((name) => NAMES[name]()).join(', ');
  return (
    <p class={isDecided ? 'dropped decided' : 'dropped'} role="note">
      <Icon name={isDecided ? 'warning' : 'info'} size={14} />
      <span>{l10n.t('The {0} format does not support: {1}.', state.format, names)}</span>
    </p>
  );
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
      <LinkButton label={l10n.t('Save as preset')} onClick={() => store.post({ type: 'savePreset' })} />
    </div>
  );
}

interface FieldsProps {
  readonly parameters: ParametersView;
  /** Reference to the first field. */
  readonly first: RefObject<HTMLTextAreaElement | null>;
  readonly onChange: (change: ParameterChange) => void;
}

/** The fields of the parameters. An empty field uses the setting. */
function ParameterFields({ parameters, first, onChange }: FieldsProps) {
  const { own, defaults } = parameters;
  return (
    <>
      <Field label={l10n.t('System prompt')}>
        <textarea
          ref={first}
          rows={2}
          placeholder={defaults.systemPrompt || l10n.t('None')}
          defaultValue={own.systemPrompt ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ systemPrompt: value.trim() === '' ? null : value })}
        />
      </Field>
      <div class="parameter-grid">
        <Field label={l10n.t('Max output tokens')}>
          <input
            type="number"
            min={1}
            step={1}
            placeholder={String(defaults.maxTokens ?? '')}
            defaultValue={own.maxTokens?.toString() ?? ''}
            onChange={({ currentTarget }) => onChange({ maxTokens: numberIn(currentTarget) })}
          />
        </Field>
        <Field label={l10n.t('Temperature')}>
          <input
            type="number"
            min={0}
            max={2}
            step="any"
            placeholder={defaults.temperature?.toString() ?? l10n.t('Default')}
            defaultValue={own.temperature?.toString() ?? ''}
            onChange={({ currentTarget }) => onChange({ temperature: numberIn(currentTarget) })}
          />
        </Field>
        <EffortField parameters={parameters} onChange={onChange} />
        <Field label={l10n.t('Stop sequences')} title={l10n.t('Texts that end the answer, separated by commas')}>
          <input
            type="text"
            placeholder={defaults.stopSequences?.join(', ') || l10n.t('None')}
            defaultValue={own.stopSequences?.join(', ') ?? ''}
            onChange={({ currentTarget: { value } }) => onChange({ stopSequences: stopSequencesIn(value) })}
          />
        </Field>
      </div>
    </>
  );
}

function EffortField({ parameters: { own, defaults }, onChange }: Omit<FieldsProps, 'first'>) {
  return (
    <Field label={l10n.t('Reasoning')}>
      <select
        value={own.reasoningEffort ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ reasoningEffort: REASONING_EFFORTS.find((effort) => effort === value) ?? null })
        }
      >
        <option value="">
          {defaults.reasoningEffort === undefined ? l10n.t('Default') : effortText(defaults.reasoningEffort)}
        </option>
        {REASONING_EFFORTS.map((effort) => (
          <option key={effort} value={effort}>
            {effortText(effort)}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface FieldProps {
  readonly label: string;
  readonly title?: string;
  readonly children: ComponentChildren;
}

function Field({ label, title, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class="parameter field" title={title}>
      <span>{label}</span>
      {children}
    </label>
  );
}
