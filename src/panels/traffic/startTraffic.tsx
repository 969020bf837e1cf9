import { render } from 'preact';
import type { TrafficTransport } from '../../pages/traffic/trafficMessages.ts';
import { StoreContext, TrafficStore } from './store.ts';
import { TrafficPage } from './trafficPage.tsx';
import './styles/index.css';

/** Renders the traffic view into `root` and connects it to its host. */
export function startTraffic(root: HTMLElement, transport: TrafficTransport): TrafficStore {
  const store = new TrafficStore(transport);
  render(
    <StoreContext.Provider value={store}>
      <TrafficPage />
    </StoreContext.Provider>,
    root,
  );
  store.start();
  return store;
}
