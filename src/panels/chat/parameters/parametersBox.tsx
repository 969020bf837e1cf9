import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatState, ParameterChange } from '../../../editor/chat/protocol.ts';
import { PopoverBox } from '../composer/popoverBox.tsx';
import { useStore } from '../storeContext.ts';
import { EFFORTS, NOTHING_DECIDED, numberIn, stopSequencesIn } from './parameterText.ts';
import { Presets } from './presets.tsx';

/** What is decided for this conversation. An empty field follows the settings. */
export function ParametersBox({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const { own, defaults, presets } = state.parameters;
  const first = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
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
      <form class="parameter-fields" aria-label="Parameters of this chat" onKeyDown={onKeyDown} onSubmit={onSubmit}>
        <h2 class="card-title">This chat</h2>
        <label class="parameter">
          <span>System prompt</span>
          <textarea
            ref={first}
            rows={2}
            placeholder={defaults.systemPrompt || 'None'}
            defaultValue={own.systemPrompt ?? ''}
            onChange={({ currentTarget: { value } }) => set({ systemPrompt: value.trim() === '' ? null : value })}
          />
        </label>
        <div class="parameter-grid">
          <label class="parameter">
            <span>Most tokens</span>
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
            <span>Temperature</span>
            <input
              type="number"
              min={0}
              max={2}
              step="any"
              placeholder={defaults.temperature?.toString() ?? 'The service’s'}
              defaultValue={own.temperature?.toString() ?? ''}
              onChange={({ currentTarget }) => set({ temperature: numberIn(currentTarget) })}
            />
          </label>
          <label class="parameter">
            <span>Reasoning</span>
            <select
              value={own.reasoningEffort ?? ''}
              onChange={({ currentTarget: { value } }) =>
                set({ reasoningEffort: EFFORTS.find((effort) => effort === value) ?? null })
              }
            >
              <option value="">{defaults.reasoningEffort ?? 'The model’s'}</option>
              {EFFORTS.map((effort) => (
                <option key={effort} value={effort}>
                  {effort}
                </option>
              ))}
            </select>
          </label>
          <label class="parameter" title="Texts at which the answer ends, with commas between them">
            <span>Stop at</span>
            <input
              type="text"
              placeholder={defaults.stopSequences?.join(', ') || 'Nothing'}
              defaultValue={own.stopSequences?.join(', ') ?? ''}
              onChange={({ currentTarget: { value } }) => set({ stopSequences: stopSequencesIn(value) })}
            />
          </label>
        </div>
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
            Follow the settings
          </button>
        )}
      </form>
    </PopoverBox>
  );
}
