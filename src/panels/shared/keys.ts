/** Does what a key stands for. Keys of an input method that composes, and those that have no meaning, are passed on. */
export function pressKey(event: KeyboardEvent, actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const action = event.isComposing ? undefined : actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

/** The place in a list after a step of the arrow keys, going round at the ends. `current` is -1 when nothing is active. */
export function stepped(current: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1;
  if (current === -1) return step === 1 ? 0 : count - 1;
  return (current + step + count) % count;
}

/** Where a key leads in a list of rows; undefined for other keys. @param page the rows that are in sight at once. */
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
