import { useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';

export interface MenuAction {
  readonly label: string;
  /** What the action does, in a line of its own. */
  readonly detail?: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/**
 * A button with a menu beside it. The browser shows the menu above everything else, closes it on Escape and on a click
 * outside, and returns the focus to the button.
 */
export function ActionMenu({ label, actions }: { readonly label: string; readonly actions: readonly MenuAction[] }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const anchor = `--menu-${id}`;
  const close = () => box.current?.hidePopover();
  return (
    <>
      <button
        type="button"
        class="icon-button"
        popovertarget={id}
        aria-haspopup="menu"
        aria-label={label}
        title={label}
        style={{ anchorName: anchor }}
      >
        <Icon name="ellipsis" />
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        class="action-menu"
        style={{ positionAnchor: anchor }}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <Menu label={label} onClose={close}>
            {actions.map((action) => (
              <Item key={action.label} action={action} onChosen={close} />
            ))}
          </Menu>
        )}
      </div>
    </>
  );
}

function Item({ action, onChosen }: { readonly action: MenuAction; readonly onChosen: () => void }) {
  const { label, detail, disabled = false, onClick } = action;
  const choose = () => {
    if (disabled) return;
    onChosen();
    onClick();
  };
  return (
    <button type="button" role="menuitem" class="row action-row" aria-disabled={disabled} onClick={choose}>
      <span>{label}</span>
      {detail !== undefined && <span class="row-summary">{detail}</span>}
    </button>
  );
}
