/** Returns the index of the turn to which a key moves from the turn at `index`; -1 if there is none. */
export function nextTurn(key: string, index: number, count: number): number {
  if (index === -1) return -1;
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'ArrowDown':
      return Math.min(count - 1, index + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}
