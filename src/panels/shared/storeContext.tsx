import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';

interface ProviderProps<Store> {
  readonly store: Store;
  readonly children: ComponentChildren;
}

/** Creates a provider of a page's store, and the hook that returns it to components. */
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
