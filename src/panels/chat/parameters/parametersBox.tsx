import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatState, ParameterChange } from '../../../editor/chat/protocol.ts';
import { PopoverBox } from '../composer/popoverBox.tsx';
import { useStore } from '../storeContext.ts';
import { EFFORTS, effortText, NOTHING_DECIDED, numberIn, stopSequencesIn } from './parameterText.ts';
import { Presets } from './presets.tsx';
import { Uncarried } from './uncarried.tsx';

/** The conversation's own parameters. An empty field uses the settings. */
export function ParametersBox({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const { own, defaults, presets } = state.parameters;
  const first = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  useEffect(() => store.post({ type: 'checkParameters' }), [store]);
  const set = (change: ParameterChange) => store.post({ type: 'setParameters', change });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    // A field that is being written in tells its change when it loses the focus.
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
        <label class="parameter">
          <span>{l10n.t('System prompt')}</span>
          <textarea
            ref={first}
            rows={2}
            placeholder={defaults.systemPrompt || l10n.t('None')}
            defaultValue={own.systemPrompt ?? ''}
            onChange={({ currentTarget: { value } }) => set({ systemPrompt: value.trim() === '' ? null : value })}
          />
        </label>
        <div class="parameter-grid">
          <label class="parameter">
            <span>{l10n.t('Max output tokens')}</span>
            <input
              type="number"
              min={1}
              step={1}
              placeholder={String(defaults.maxTokens ?? '')}
              defaultValue={own.maxTokens?.toString() ?? ''}
              onChange={({ currentTarget }) => set({ maxTokens: numberIn(currentTarget) })}
            />
          </label>
          <label class="parameter">
            <span>{l10n.t('Temperature')}</span>
            <input
              type="number"
              min={0}
              max={2}
              step="any"
              placeholder={defaults.temperature?.toString() ?? l10n.t('Default')}
              defaultValue={own.temperature?.toString() ?? ''}
              onChange={({ currentTarget }) => set({ temperature: numberIn(currentTarget) })}
            />
          </label>
          <label class="parameter">
            <span>{l10n.t('Reasoning')}</span>
            <select
              value={own.reasoningEffort ?? ''}
              onChange={({ currentTarget: { value } }) =>
                set({ reasoningEffort: EFFORTS.find((effort) => effort === value) ?? null })
              }
            >
              <option value="">
                {defaults.reasoningEffort === undefined ? l10n.t('Default') : effortText(defaults.reasoningEffort)}
              </option>
              {EFFORTS.map((effort) => (
                <option key={effort} value={effort}>
                  {effortText(effort)}
                </option>
              ))}
            </select>
          </label>
          <label class="parameter" title={l10n.t('Texts that end the answer, separated by commas')}>
            <span>{l10n.t('Stop sequences')}</span>
            <input
              type="text"
              placeholder={defaults.stopSequences?.join(', ') || l10n.t('None')}
              defaultValue={own.stopSequences?.join(', ') ?? ''}
              onChange={({ currentTarget: { value } }) => set({ stopSequences: stopSequencesIn(value) })}
            />
          </label>
        </div>
        <Uncarried state={state} />
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
