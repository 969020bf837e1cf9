/** The place in a list after a step of the arrow keys, going round at the ends. `current` is -1 when nothing is active. */
export function stepped(current: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1;
  if (current === -1) return step === 1 ? 0 : count - 1;
  return (current + step + count) % count;
}
