import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RunView } from '../../../pages/chat/protocol.ts';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { useStore } from '../storeContext.ts';

/** The limits of the run, which can be changed at any time. */
export function LimitsMenu({ run }: { readonly run: RunView }) {
  const store = useStore();
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const close = () => {
    // A field reports its change when it loses the focus.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    store.closePopover();
  };
  return (
    <PopoverBox name="limits" class="limits">
      <form
        class="parameter-fields"
        aria-label={l10n.t('Limits for this run')}
        onKeyDown={(event) => {
          const isLeaving = event.key === 'Escape' || event.key === 'Enter';
          if (!isLeaving || event.isComposing || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          close();
        }}
      >
        <h2 class="card-title">{l10n.t('Limits for this run')}</h2>
        <div class="parameter-grid">
          <LimitField
            label={l10n.t('Run cap, in $')}
            field={first}
            value={run.cap}
            step="any"
            onSet={(cap) => store.post({ type: 'setLimits', cap })}
          />
          <LimitField
            label={l10n.t('Step cap, in $')}
            value={run.stepCap}
            step="any"
            onSet={(stepCap) => store.post({ type: 'setLimits', stepCap })}
          />
          <LimitField
            label={l10n.t('Steps')}
            value={run.maxSteps}
            step={1}
            onSet={(maxSteps) => store.post({ type: 'setLimits', maxSteps })}
          />
          <SummaryModelField run={run} />
        </div>
        <p class="limits-note">
          {l10n.t('The run asks you before it exceeds a limit. Leave an amount empty for no cap.')}
        </p>
      </form>
    </PopoverBox>
  );
}

/** Which model summarizes the steps when they nearly fill the context window. */
function SummaryModelField({ run: { summaryModel } }: { readonly run: RunView }) {
  const store = useStore();
  const models = (store.state.value?.catalog.models ?? []).filter(({ tools }) => tools !== false).map(({ id }) => id);
  const isUnknown = summaryModel !== '' && !models.includes(summaryModel);
  return (
    <label class="parameter field">
      <span>{l10n.t('Summary model')}</span>
      <select
        value={summaryModel}
        onChange={({ currentTarget }) => store.post({ type: 'setSummaryModel', model: currentTarget.value })}
      >
        <option value="">{l10n.t('The chat’s model')}</option>
        {[...(isUnknown ? [summaryModel] : []), ...models].map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </select>
    </label>
  );
}

interface LimitFieldProps {
  readonly label: string;
  /** 0 without a limit. */
  readonly value: number;
  readonly step: number | 'any';
  readonly field?: { current: HTMLInputElement | null };
  readonly onSet: (value: number) => void;
}

function LimitField({ label, value, step, field, onSet }: LimitFieldProps) {
  return (
    <label class="parameter field">
      <span>{label}</span>
      <input
        ref={field ?? null}
        type="number"
        min={step === 1 ? 1 : 0}
        step={step}
        required={step === 1}
        placeholder={step === 1 ? '' : l10n.t('None')}
        defaultValue={value === 0 ? '' : String(value)}
        onChange={({ currentTarget: input }) => {
          if (input.validity.valid) onSet(input.value === '' ? 0 : input.valueAsNumber);
        }}
      />
    </label>
  );
}
