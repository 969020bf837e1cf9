import type { ComponentChildren } from 'preact';
import { Icon } from '../shared/icon.tsx';

interface StepProps {
  readonly number: number;
  readonly name: string;
  /** Shows a check mark instead of the number. */
  readonly isDone: boolean;
  /** Shown at the end of the header. */
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A section of the page. All sections are visible at once; the numbers give the order. */
export function Step({ number, name, isDone, note, children }: StepProps) {
  return (
    <fieldset class="step">
      <legend>
        <span class={isDone ? 'step-number done' : 'step-number'} aria-hidden="true">
          {isDone ? <Icon name="pass" size={16} /> : number}
        </span>
        {name}
      </legend>
      {note !== undefined && <div class="step-note">{note}</div>}
      <div class="step-content">{children}</div>
    </fieldset>
  );
}
