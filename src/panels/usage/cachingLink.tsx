import { useStore } from './store.ts';

/** Opens the page about caches: what they cost, why they miss, and what to do about it. */
export function CachingLink({ label }: { readonly label: string }) {
  const store = useStore();
  return (
    <button type="button" class="link" onClick={() => store.post({ type: 'openCaching' })}>
      {label}
    </button>
  );
}
