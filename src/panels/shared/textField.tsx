import type { Ref } from 'preact';
import { Icon } from './icon.tsx';

export interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'date';
  readonly placeholder?: string;
  readonly hint?: string;
  /** What is wrong; it takes the place of the hint. */
  readonly problem?: string | undefined;
  /** The label stands before the field. */
  readonly isInline?: boolean;
  /** The label is for screen readers alone. */
  readonly hidesLabel?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly onInput: (value: string) => void;
  /** The field was left with something in it. */
  readonly onLeave: () => void;
}

/** A field with its label, and what is wrong with it. */
export function TextField(props: TextFieldProps) {
  const { id, label, value, type = 'text', placeholder, hint = '', problem, isInline = false } = props;
  const { hidesLabel = false, inputRef, onInput, onLeave } = props;
  const attributes = {
    ref: inputRef ?? null,
    id,
    class: type === 'date' || isInline ? 'short' : '',
    value,
    placeholder,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-hint`,
    autocomplete: 'off',
    spellcheck: false,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onInput(currentTarget.value),
    onBlur: () => {
      if (value !== '') onLeave();
    },
  } as const;
  return (
    <div class={isInline ? 'field inline' : 'field'}>
      <label class={hidesLabel ? 'hidden-text' : ''} for={id}>
        {label}
      </label>
      {type === 'date' ? <input type="date" {...attributes} /> : <input type="text" {...attributes} />}
      <span id={`${id}-hint`} class={problem === undefined ? 'hint' : 'hint problem'}>
        {problem === undefined ? hint : <Problem text={problem} />}
      </span>
    </div>
  );
}

/** What is wrong, with its icon. */
export function Problem({ text }: { readonly text: string }) {
  return (
    <>
      <Icon name="error" size={14} />
      {text}
    </>
  );
}
