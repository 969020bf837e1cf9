import { type ComponentChildren, type ComponentType, createContext, h, render } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageTransport } from '../../pages/page.ts';

/** What a page shows and its user has entered, and its connection to the host. */
export abstract class PageStore<ToPage, ToHost extends { readonly type: string }, Kept = undefined> {
  protected readonly transport: PageTransport<ToPage, ToHost, Kept>;

  constructor(transport: PageTransport<ToPage, ToHost, Kept>) {
    this.transport = transport;
  }

  /**
   * Starts to listen and requests the state.
   * @returns a function that stops listening.
   */
  start(): () => void {
    const stop = this.transport.listen((message) => this.receive(message));
    this.post(this.ready());
    return stop;
  }

  post(message: ToHost): void {
    this.transport.post(message);
  }

  protected abstract receive(message: ToPage): void;

  /** The first message, which may say what the page showed before. */
  protected ready(): ToHost {
    return { type: 'ready' } as ToHost;
  }
}

interface ProviderProps<Store> {
  readonly store: Store;
  readonly children: ComponentChildren;
}

/** Creates a provider of a page's store, and the hook that returns it to components. */
export function storeContext<Store extends object>() {
  const Context = createContext<Store | undefined>(undefined);
  function Provider({ store, children }: ProviderProps<Store>) {
    return h(Context.Provider, { value: store, children });
  }
  function useStore(): Store {
    const store = useContext(Context);
    if (store === undefined) throw new Error('There is no store around this component.');
    return store;
  }
  return [Provider, useStore] as const;
}

/** Returns the function that renders a page into an element and connects it to its host. */
export function pageStarter<Store extends { start(): unknown }, Transport>(
  Store: new (transport: Transport) => Store,
  Provider: ComponentType<ProviderProps<Store>>,
  Page: ComponentType,
) {
  return (root: HTMLElement, transport: Transport): Store => {
    const store = new Store(transport);
    render(h(Provider, { store, children: h(Page, {}) }), root);
    store.start();
    return store;
  };
}
