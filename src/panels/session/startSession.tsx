import { render } from 'preact';
import type { SessionTransport } from '../../pages/session/sessionMessages.ts';
import { SessionPage } from './sessionPage.tsx';
import { SessionStore, StoreContext } from './store.ts';
import './styles/index.css';

/** Renders the page of a session into `root` and connects it to its host. */
export function startSession(root: HTMLElement, transport: SessionTransport): void {
  const store = new SessionStore(transport);
  render(
    <StoreContext.Provider value={store}>
      <SessionPage />
    </StoreContext.Provider>,
    root,
  );
  store.start();
}
