import { Icon } from '../../shared/icon.tsx';
import type { Popover } from '../popover.ts';
import { useStore } from '../storeContext.ts';

interface PickerButtonProps {
  readonly popover: Popover;
  readonly label: string;
  readonly text: string;
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
      {icon !== undefined && <Icon name={icon} size={14} />}
      <span class="picker-text">{text}</span>
      <Icon name="chevron-down" size={12} />
    </button>
  );
}
