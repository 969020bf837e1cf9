import { render } from 'preact';
import type { UsageTransport } from '../../pages/usage/usageMessages.ts';
import { StoreContext, UsageStore } from './store.ts';
import { UsagePage } from './usagePage.tsx';
import './styles/index.css';

/** Renders the usage view into `root` and connects it to its host. */
export function startUsage(root: HTMLElement, transport: UsageTransport): UsageStore {
  const store = new UsageStore(transport);
  render(
    <StoreContext.Provider value={store}>
      <UsagePage />
    </StoreContext.Provider>,
    root,
  );
  store.start();
  return store;
}
