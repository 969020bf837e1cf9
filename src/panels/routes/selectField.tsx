import * as l10n from '@vscode/l10n';
import type { RequestClass } from '../../pages/routes/protocol.ts';

interface SelectFieldProps<Value extends string> {
  readonly id: string;
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly isInvalid?: boolean;
  readonly onChange: (value: Value) => void;
}

/** A field with a list of values. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { id, label, value, options, isInvalid = false, onChange } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-invalid={isInvalid}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface ClassFieldProps extends Omit<SelectFieldProps<RequestClass | ''>, 'label' | 'options'> {
  /** The text of the option for no class. */
  readonly none: string;
}

/** The class of a request, which clients send in a header. */
export function ClassField({ none, ...props }: ClassFieldProps) {
  const options: readonly (readonly [RequestClass | '', string])[] = [
    ['', none],
    ['main', `main · ${l10n.t('user questions')}`],
    ['subagent', `subagent · ${l10n.t('subagent work')}`],
    ['workflow', 'workflow'],
    ['compaction', `compaction · ${l10n.t('summaries of long sessions')}`],
    ['auxiliary', `auxiliary · ${l10n.t('titles, summaries')}`],
  ];
  return <SelectField {...props} label={l10n.t('Class')} options={options} />;
}
