import type { ComponentChildren } from 'preact';
import { Icon } from '../shared/icon.tsx';

interface StepProps {
  readonly number: number;
  readonly name: string;
  /** Its number is a check mark. */
  readonly isDone: boolean;
  /** At the end of its head. */
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A section of the page. All are in sight at once; the numbers say in which order they are read. */
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
