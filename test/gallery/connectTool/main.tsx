/** Shows the states of the page in a plain browser, without an editor. `galleryPage.ts` reads the page's address. */

import type { ConnectPageMessage } from '../../../src/pages/connectTool/connectMessages.ts';
import type { ConnectHostMessage } from '../../../src/pages/connectTool/protocol.ts';
import { startConnectTool } from '../../../src/panels/connectTool/connectPage.tsx';
import { openState } from '../shared/openState.tsx';
import { ScriptedTransport } from '../shared/scriptedTransport.ts';
import { type GalleryState, STATES } from './states.ts';

await openState(STATES, (state, root) => {
  const host = scriptedHost(state);
  Object.assign(window, { posted: host.posted, tell: host.send.bind(host) });
  const store = startConnectTool(root, host);
  const tool = store.state.value?.tools.find(({ id }) => id === state.chosen);
  if (tool !== undefined) store.choose(tool);
  if (state.form !== undefined) store.change(state.form);
  if (state.isSubmitted === true) store.connect();
});

/** A host that connects and disconnects every tool, and whose checks pass. */
function scriptedHost({ state, previews, check, outcome }: GalleryState) {
  let now = state;
  const setConnected = (id: string, form: Partial<GalleryState['state']['tools'][number]>) => {
    now = { ...now, tools: now.tools.map((tool) => (tool.id === id ? { ...tool, ...form } : tool)) };
  };
  return new ScriptedTransport<ConnectHostMessage, ConnectPageMessage>((message, tell) => {
    switch (message.type) {
      case 'ready':
        return tell({ type: 'state', state: now });
      case 'preview': {
        const preview = previews[message.form.tool] ?? { problems: {}, aliases: {} };
        tell({ type: 'preview', number: message.number, preview });
        const shown = now.tools.find(({ id }) => id === message.form.tool);
        if (check !== undefined && shown?.isConnected === true) tell({ type: 'check', check });
        return;
      }
      case 'connect':
        if (outcome !== undefined) return tell({ type: 'outcome', outcome });
        setConnected(message.form.tool, { isConnected: true, form: message.form });
        tell({ type: 'state', state: now });
        return tell({ type: 'outcome', outcome: { kind: 'connected' } });
      case 'disconnect':
        setConnected(message.tool, { isConnected: false });
        tell({ type: 'state', state: now });
        return tell({ type: 'outcome', outcome: { kind: 'disconnected' } });
      default:
    }
  });
}
