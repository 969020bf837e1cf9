import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { KeyForm, KeyFormField } from '../../pages/localKey/protocol.ts';
import { TextField, type TextFieldProps } from '../shared/textField.tsx';
import { useStore } from './store.ts';

interface SectionProps {
  readonly name: string;
  readonly note?: string;
  readonly children: ComponentChildren;
}

/** A group of fields with a name beside them, or above them in a narrow panel. */
export function Section({ name, note, children }: SectionProps) {
  return (
    <fieldset class="key-section">
      <legend>
        {name}
        {note !== undefined && <span class="section-note">{note}</span>}
      </legend>
      <div class="section-fields">{children}</div>
    </fieldset>
  );
}

interface KeyFieldProps extends Pick<TextFieldProps, 'label' | 'type' | 'placeholder' | 'hint'> {
  readonly field: KeyFormField;
  readonly value: (form: KeyForm) => string;
  readonly change: (value: string, form: KeyForm) => Partial<KeyForm>;
  /** The label is before the field. Otherwise it is only for screen readers, because the section has the same name. */
  readonly isInline?: boolean;
  /** Has the focus when the page opens. */
  readonly isFirst?: boolean;
}

/** A field of the form. Its problem is shown once it has lost the focus. */
export function Field({ field, value, change, isInline = false, isFirst = false, ...rest }: KeyFieldProps) {
  const store = useStore();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isFirst) input.current?.focus();
  }, [isFirst]);
  const form = store.form.value;
  return (
    <TextField
      {...rest}
      id={field}
      value={value(form)}
      problem={store.problems.of(field)}
      isInline={isInline}
      hidesLabel={!isInline}
      inputRef={input}
      onInput={(text) => store.change(change(text, form))}
      onLeave={() => store.leave(field)}
    />
  );
}

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChoose: (value: Value) => void;
}

/** A choice between a few options. */
export function Segments<Value extends string>({ label, value, options, onChoose }: SegmentsProps<Value>) {
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map(([option, text]) => (
        <label key={option} class={option === value ? 'segment chosen' : 'segment'}>
          <input type="radio" name={label} checked={option === value} onChange={() => onChoose(option)} />
          {text}
        </label>
      ))}
    </div>
  );
}
