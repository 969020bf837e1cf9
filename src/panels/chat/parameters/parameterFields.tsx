import * as l10n from '@vscode/l10n';
import type { ComponentChildren, RefObject } from 'preact';
import type { ParameterChange, ParametersView } from '../../../pages/chat/protocol.ts';
import { REASONING_EFFORTS } from '../../../rules/reasoningEffort.ts';
import { effortText, numberIn, stopSequencesIn } from './parameterText.ts';

interface FieldsProps {
  readonly parameters: ParametersView;
  /** Reference to the first field. */
  readonly first: RefObject<HTMLTextAreaElement | null>;
  readonly onChange: (change: ParameterChange) => void;
}

/** The fields of the parameters. An empty field uses the setting. */
export function ParameterFields({ parameters, first, onChange }: FieldsProps) {
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
    <label class="parameter" title={title}>
      <span>{label}</span>
      {children}
    </label>
  );
}
