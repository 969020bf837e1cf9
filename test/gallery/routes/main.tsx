/** Shows the states of the page in a plain browser, without an editor. `galleryPage.ts` reads the page's address. */
import type { RoutesHostMessage } from '../../../src/pages/routes/protocol.ts';
import type { RoutesPageMessage } from '../../../src/pages/routes/routesMessages.ts';
import { startRoutes } from '../../../src/panels/routes/routesPage.tsx';
import { openState } from '../shared/openState.tsx';
import { ScriptedTransport } from '../shared/scriptedTransport.ts';
import { STATES } from './states.ts';

await openState(STATES, (shown, root) => {
  const { state, checked, health, openRule, change, isSubmitted, isSaved, changedMeanwhile } = shown;
  const host = new ScriptedTransport<RoutesHostMessage, RoutesPageMessage>((message, tell) => {
    if (message.type === 'ready') tell({ type: 'state', state });
    if (message.type === 'check') tell({ type: 'checked', number: message.number, checked });
    if (message.type === 'save') {
      const saves = checked.problems.length === 0;
      if (saves) tell({ type: 'state', state: { ...state, routes: message.routes } });
      tell({ type: 'saved', isSaved: saves });
    }
  });
  if (health !== undefined) queueMicrotask(() => host.send({ type: 'health', health }));
  Object.assign(window, { posted: host.posted, tell: host.send.bind(host) });
  const store = startRoutes(root, host);
  store.tryRequest({ tokens: '200000' });
  store.openRule.value = openRule;
  if (change !== undefined) store.change(change);
  if (isSubmitted === true || isSaved === true) store.save();
  if (changedMeanwhile !== undefined) host.send({ type: 'state', state: { ...state, routes: changedMeanwhile } });
});
