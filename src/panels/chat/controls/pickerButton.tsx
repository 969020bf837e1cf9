import { Icon } from '../../shared/icon.tsx';
import type { Popover } from '../popover.ts';
import { useStore } from '../storeContext.ts';

interface PickerButtonProps {
  readonly popover: Popover;
  readonly label: string;
  readonly text: string;
  /** Shown instead of the text where there is no space for it. */
  readonly icon?: string;
  readonly class?: string;
}

export function PickerButton({ popover, label, text, icon, ...rest }: PickerButtonProps) {
  const store = useStore();
  return (
    <button
      type="button"
      class={`picker-button ${rest.class ?? ''}`}
      data-opens={popover}
      aria-haspopup="listbox"
      aria-expanded={store.popover.value === popover}
      aria-label={label}
      title={label}
      onClick={() => store.toggle(popover)}
    >
      {icon !== undefined && (
        <span class="picker-icon below-340">
          <Icon name={icon} />
        </span>
      )}
      <span class={icon === undefined ? 'picker-text' : 'picker-text from-340'}>{text}</span>
      <Icon name="chevron-down" size={12} />
    </button>
  );
}
