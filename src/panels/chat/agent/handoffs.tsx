import { useStore } from '../storeContext.ts';

/** The agents that can take over, once the last run of the chat is done. */
export function Handoffs({ run }: { readonly run: string | undefined }) {
  const store = useStore();
  const last = store.state.value?.run;
  const labels = last?.id === run ? (last?.handoffs ?? []) : [];
  if (labels.length === 0) return null;
  return (
    <div class="buttons">
      {labels.map((label, place) => (
        <button key={label} type="button" class="button" onClick={() => store.post({ type: 'handOff', place })}>
          {label}
        </button>
      ))}
    </div>
  );
}
