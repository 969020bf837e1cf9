import { useStore } from '../storeContext.ts';

/** Whether an initially collapsed section is expanded. The state survives hiding and reloading the panel. */
export function useFold(name: string): readonly [boolean, () => void] {
  const { memory } = useStore();
  const open = memory.open.value.has(name);
  return [open, () => memory.setOpen(name, !open)];
}
