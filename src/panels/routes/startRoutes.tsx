import { render } from 'preact';
import type { RoutesTransport } from '../../pages/routes/routesMessages.ts';
import { RoutesPage } from './routesPage.tsx';
import { RoutesStore, StoreProvider } from './store.ts';
import './styles/index.css';

/** Renders the page of routes into `root` and connects it to its host. */
export function startRoutes(root: HTMLElement, transport: RoutesTransport): RoutesStore {
  const store = new RoutesStore(transport);
  render(
    <StoreProvider store={store}>
      <RoutesPage />
    </StoreProvider>,
    root,
  );
  store.start();
  return store;
}
