/** Does what a key stands for. Keys of an input method that composes, and those that stand for nothing, go on. */
export function pressKey(event: KeyboardEvent, actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const action = event.isComposing ? undefined : actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}
