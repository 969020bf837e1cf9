import { Icon } from '../shared/icon.tsx';
import { useStore } from './store.ts';

/** Why the gateway currently prefers other targets to this one. */
export function Health({ target }: { readonly target: string }) {
  const text = useStore().health.value[target.trim()];
  if (text === undefined) return null;
  return (
    <span class="hint health">
      <Icon name="warning" size={14} />
      {text}
    </span>
  );
}
