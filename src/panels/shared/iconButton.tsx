import { Icon } from './icon.tsx';

export interface IconButtonProps {
  readonly icon: string;
  /** The button's accessible name and tooltip. */
  readonly label: string;
  /** The keyboard shortcut, such as `Enter`, shown in the tooltip. */
  readonly shortcut?: string;
  readonly class?: string;
  readonly disabled?: boolean;
  /** Set for a toggle button. */
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

/**
 * A button of 22 by 22 pixels with an icon. A disabled button keeps its place in the focus order, so that the focus is
 * not lost when it is pressed.
 */
export function IconButton({ icon, label, shortcut, disabled = false, pressed, onClick, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${rest.class ?? ''}`}
      aria-label={label}
      aria-disabled={disabled}
      aria-pressed={pressed}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      onClick={disabled ? undefined : onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
