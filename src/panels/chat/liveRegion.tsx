import { useStore } from './storeContext.ts';

/** The panel's polite live region. Each text gets a new element, so that repeated texts are announced again. */
export function LiveRegion() {
  const { text, count } = useStore().announcement.value;
  return (
    <div class="hidden-text" role="status" aria-live="polite">
      <span key={count}>{text}</span>
    </div>
  );
}
