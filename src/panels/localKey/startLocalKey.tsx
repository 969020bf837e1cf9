import { render } from 'preact';
import type { KeyPageTransport } from '../../pages/localKey/keyMessages.ts';
import { KeyPage } from './keyPage.tsx';
import { KeyStore, StoreProvider } from './store.ts';
import './styles/index.css';

/** Renders the page that creates a local key into `root` and connects it to its host. */
export function startLocalKey(root: HTMLElement, transport: KeyPageTransport): KeyStore {
  const store = new KeyStore(transport);
  render(
    <StoreProvider store={store}>
      <KeyPage />
    </StoreProvider>,
    root,
  );
  store.start();
  return store;
}
