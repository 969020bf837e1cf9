import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { stepped } from './keys.ts';

interface MenuProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A menu that focuses its first item. Up, Down, and the pointer move between items, Escape closes the menu. */
export function Menu({ label, onClose, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => itemsOf(menu.current)[0]?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const items = itemsOf(menu.current);
    const at = items.findIndex((item) => item.matches(':focus'));
    items[stepped(at, step, items.length)]?.focus();
  };
  // Otherwise the item below the pointer would be highlighted beside the one that has the focus.
  const onPointerMove = ({ target }: PointerEvent) => {
    const item = (target as Element).closest<HTMLElement>('[role^="menuitem"]');
    if (item?.matches(':not(:focus)')) item.focus({ preventScroll: true });
  };
  return (
    <div ref={menu} role="menu" aria-label={label} onKeyDown={onKeyDown} onPointerMove={onPointerMove}>
      {children}
    </div>
  );
}

/** Returns the items that are visible at this width. */
function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  const items = [...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
  return items.filter((item) => item.offsetParent !== null);
}
