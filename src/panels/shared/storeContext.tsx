import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';

interface ProviderProps<Store> {
  readonly store: Store;
  readonly children: ComponentChildren;
}

/** A page's store for all of its components: what lays it around them, and the hook that gives it to them. */
export function storeContext<Store extends object>() {
  const Context = createContext<Store | undefined>(undefined);
  function Provider({ store, children }: ProviderProps<Store>) {
    return <Context.Provider value={store}>{children}</Context.Provider>;
  }
  function useStore(): Store {
    const store = useContext(Context);
    if (store === undefined) throw new Error('There is no store around this component.');
    return store;
  }
  return [Provider, useStore] as const;
}
