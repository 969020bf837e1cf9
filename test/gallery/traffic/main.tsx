/** Shows the traffic view's states in a plain page, without an editor. `galleryPage.ts` reads the page's address. */

import { startTraffic } from '../../../src/panels/traffic/trafficPage.tsx';
import { openState } from '../shared/openState.tsx';
import { ScriptedHost } from './scriptedHost.ts';
import { STATES } from './states.ts';

await openState(STATES, (state, root) => {
  const host = new ScriptedHost(state);
  Object.assign(window, { posted: host.posted, tell: host.send });
  const store = startTraffic(root, host);
  for (const id of state.opensNodes ?? []) {
    const node = store.tree.nodes.value.find((each) => each.id === id);
    if (node !== undefined) store.tree.setOpen(node, true);
  }
  const row = store.rows.value.find(({ id }) => id === state.opens);
  if (row !== undefined) store.openExchange(row);
  const { tab, isExplained } = state;
  if (tab !== undefined) requestAnimationFrame(() => document.getElementById(`tab-${tab}`)?.click());
  if (isExplained === true) requestAnimationFrame(() => document.querySelector<HTMLElement>('.miss button')?.click());
});
