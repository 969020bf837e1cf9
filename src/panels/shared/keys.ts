/** Does what a key stands for. Keys of an input method that composes, and those that stand for nothing, go on. */
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
