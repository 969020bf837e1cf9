import { useStore } from '../storeContext.ts';

/** Whether a part that is folded at first is open. It stays so when the panel is hidden or loaded anew. */
export function useFold(name: string): readonly [boolean, () => void] {
  const { memory } = useStore();
  const open = memory.open.value.has(name);
  return [open, () => memory.setOpen(name, !open)];
}
