import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface NoteProps {
  readonly kind: 'info' | 'warning' | 'error';
  /** Undefined for a note that is not announced. */
  readonly role?: 'alert' | 'status';
  readonly children: ComponentChildren;
}

/** A card with an icon for what the user should know or decide. */
export function Note({ kind, role, children }: NoteProps) {
  return (
    <div class={`card ${kind}`} role={role}>
      <Icon name={kind} />
      <div class="card-body">{children}</div>
    </div>
  );
}

interface ProblemProps {
  readonly title: string;
  /** The reason. */
  readonly problem: string;
  /** What can be done about it. */
  readonly children?: ComponentChildren;
}

/** What could not be done, and why. */
export function Problem({ title, problem, children }: ProblemProps) {
  return (
    <Note kind="error" role="alert">
      <p class="card-title">{title}</p>
      <p class="card-text">{problem}</p>
      {children}
    </Note>
  );
}
