/** Shows the states of the page in a plain browser, without an editor. `galleryPage.ts` reads the page's address. */

import type { ConfigureAgentMessage } from '../../../src/pages/configureAgent/configureMessages.ts';
import type { ConfigureAgentHostMessage } from '../../../src/pages/configureAgent/protocol.ts';
import { startConfigureAgent } from '../../../src/panels/configureAgent/configurePage.tsx';
import { openState } from '../shared/openState.tsx';
import { ScriptedTransport } from '../shared/scriptedTransport.ts';
import { STATES } from './states.ts';

await openState(STATES, ({ state }, root) => {
  const host = new ScriptedTransport<ConfigureAgentHostMessage, ConfigureAgentMessage>((message, tell) => {
    if (message.type === 'ready') tell({ type: 'state', state });
  });
  Object.assign(window, { posted: host.posted, tell: host.send.bind(host) });
  startConfigureAgent(root, host);
});
