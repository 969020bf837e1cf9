import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Returns the focus to the button that has opened an editor, which is removed with the focus in it. */
export function useFocusAfter(editing: boolean): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  const wasEditing = useRef(false);
  useLayoutEffect(() => {
    if (wasEditing.current && !editing) section.current?.querySelector<HTMLElement>('.icon-button')?.focus();
    wasEditing.current = editing;
  }, [editing]);
  return section;
}
