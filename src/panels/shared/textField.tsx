import type { Ref } from 'preact';
import { Icon } from './icon.tsx';

export interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'date';
  readonly placeholder?: string;
  /** The ID of a list of suggestions. */
  readonly list?: string;
  readonly hint?: string;
  /** The problem, which replaces the hint. */
  readonly problem?: string | undefined;
  /** Places the label before the field. */
  readonly isInline?: boolean;
  /** Shows the label only to screen readers. */
  readonly hidesLabel?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly onInput: (value: string) => void;
  /** Called when the field has lost the focus and is not empty. */
  readonly onLeave?: () => void;
}

/** A field with its label and its problem. */
export function TextField(props: TextFieldProps) {
  const { id, label, value, type = 'text', placeholder, list, hint = '', problem, isInline = false } = props;
  const { hidesLabel = false, inputRef, onInput, onLeave } = props;
  const attributes = {
    ref: inputRef ?? null,
    id,
    class: type === 'date' || isInline ? 'short' : '',
    value,
    placeholder,
    list,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-hint`,
    autocomplete: 'off',
    spellcheck: false,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onInput(currentTarget.value),
    onBlur: () => {
      if (value !== '') onLeave?.();
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

/** A problem with its icon. */
export function Problem({ text }: { readonly text: string }) {
  return (
    <>
      <Icon name="error" size={14} />
      {text}
    </>
  );
}
