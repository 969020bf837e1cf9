import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from '../../../shared/icon.tsx';
import { useStore } from '../../storeContext.ts';

interface CardProps {
  readonly icon: string;
  readonly title: string;
  readonly kind?: 'warning';
  /** `alertdialog` for what must be decided in the card itself. */
  readonly role: 'alertdialog' | 'alert' | 'group';
  readonly children: ComponentChildren;
}

/** A card below the steps of a run. Escape returns to the message and decides nothing. */
export function Card({ icon, title, kind, role, children }: CardProps) {
  const store = useStore();
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    store.takeFocus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it has a role, and Escape leaves it
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: all of its roles can be labeled
    <div
      class={kind === undefined ? 'card run-card' : `card run-card ${kind}`}
      role={role}
      aria-labelledby={id}
      {...(role === 'alertdialog' && { 'aria-modal': false })}
      onKeyDown={onKeyDown}
    >
      <Icon name={icon} />
      <div class="card-body">
        <h2 class="card-title" id={id} dir="auto">
          {title}
        </h2>
        {children}
      </div>
    </div>
  );
}
