/**
 * Shows the states of a session's page in a plain page, without an editor. `galleryPage.ts` reads the page's address.
 */
import type { SessionHostMessage } from '../../../src/pages/session/protocol.ts';
import type { SessionPageMessage } from '../../../src/pages/session/sessionMessages.ts';
import { startSession } from '../../../src/panels/session/sessionPage.tsx';
import { openState } from '../shared/openState.tsx';
import { ScriptedTransport } from '../shared/scriptedTransport.ts';
import { STATES } from './states.ts';

await openState(STATES, ({ message, more = [] }, root) => {
  const host = new ScriptedTransport<SessionHostMessage, SessionPageMessage>((asked, tell) => {
    if (asked.type === 'ready') for (const each of [message, ...more]) tell(each);
  });
  Object.assign(window, { posted: host.posted, tell: host.send.bind(host) });
  startSession(root, host);
});
