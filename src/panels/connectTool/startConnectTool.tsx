import { render } from 'preact';
import type { ConnectTransport } from '../../pages/connectTool/connectMessages.ts';
import { ConnectPage } from './connectPage.tsx';
import { ConnectStore, StoreProvider } from './store.ts';
import './styles/index.css';

/** Renders the page that connects a tool into `root` and connects it to its host. */
export function startConnectTool(root: HTMLElement, transport: ConnectTransport): ConnectStore {
  const store = new ConnectStore(transport);
  render(
    <StoreProvider store={store}>
      <ConnectPage />
    </StoreProvider>,
    root,
  );
  store.start();
  return store;
}
