/** The key code of an active input method. Some send it without `isComposing`. */
const KEY_OF_INPUT_METHOD = 229;

/** Whether the key belongs to an input method, such as the Enter that ends a composition. */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return event.isComposing || event.keyCode === KEY_OF_INPUT_METHOD;
}

/**
 * Runs the action of a key. Keys without an action, and keys pressed while an input method is composing, are not
 * handled.
 */
export function pressKey(event: KeyboardEvent, actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const action = isComposing(event) ? undefined : actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

/**
 * Returns the index in a list after a step of the arrow keys, wrapping around at the ends. `current` is -1 if no item
 * is active.
 */
export function stepped(current: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1;
  if (current === -1) return step === 1 ? 0 : count - 1;
  return (current + step + count) % count;
}

/**
 * Returns the row to which a key moves in a list; undefined for other keys.
 * @param page number of visible rows.
 */
export function targetOf(key: string, at: number, count: number, page: number): number | undefined {
  const within = (index: number) => Math.min(count - 1, Math.max(0, index));
  switch (key) {
    case 'ArrowDown':
      return within(at + 1);
    case 'ArrowUp':
      return within(at - 1);
    case 'PageDown':
      return within(at + page);
    case 'PageUp':
      return within(at - page);
    case 'Home':
      return within(0);
    case 'End':
      return within(count - 1);
    default:
      return undefined;
  }
}
