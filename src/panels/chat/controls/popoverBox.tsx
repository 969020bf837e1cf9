import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Popover } from '../popover.ts';
import { useStore } from '../storeContext.ts';

interface PopoverBoxProps {
  readonly name: Popover;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A popover above the composer. It closes on Escape, on a click outside, and when it loses the focus. */
export function PopoverBox({ name, children, ...rest }: PopoverBoxProps) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isInside = (target: EventTarget | null) =>
      target instanceof Element &&
      (box.current?.contains(target) === true || target.closest(`[data-opens="${name}"]`) !== null);
    const closeFrom = ({ target }: Event) => {
      // If one popover opens another, the other one has the focus before this one is closed.
      if (store.popover.value === name && !isInside(target)) store.popover.value = undefined;
    };
    // A click on an element that takes no focus leaves the focus on the page.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.activeElement !== document.body) return;
      event.preventDefault();
      store.closePopover();
    };
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('pointerdown', closeFrom);
    document.addEventListener('focusin', closeFrom);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('pointerdown', closeFrom);
      document.removeEventListener('focusin', closeFrom);
    };
  }, [name, store]);
  return (
    <div ref={box} class={`popover ${rest.class}`}>
      {children}
    </div>
  );
}
