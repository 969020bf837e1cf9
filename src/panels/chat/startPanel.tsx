import { render } from 'preact';
import type { PanelTransport } from '../../pages/chat/panelMessages.ts';
import { PacedFrames } from './pacedFrames.ts';
import { Panel } from './panel.tsx';
import { ChatStore, type StoreHost } from './store.ts';
import { StoreContext } from './storeContext.ts';
import './styles/index.css';

function page(): StoreHost {
  const frames = new PacedFrames();
  return { schedule: (flush) => frames.schedule(flush), now: () => Date.now() };
}

/** Renders the panel into `root` and connects it to its host. */
export function startPanel(root: HTMLElement, transport: PanelTransport, context = page()): ChatStore {
  const store = new ChatStore(transport, context);
  render(
    <StoreContext.Provider value={store}>
      <Panel />
    </StoreContext.Provider>,
    root,
  );
  store.start();
  return store;
}
