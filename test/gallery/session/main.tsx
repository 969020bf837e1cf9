/**
 * Shows the states of a session's page in a plain page, without an editor. `galleryPage.ts` reads the page's address.
 */
import type { SessionHostMessage } from '../../../src/pages/session/protocol.ts';
import type { SessionPageMessage } from '../../../src/pages/session/sessionMessages.ts';
import { startSession } from '../../../src/panels/session/startSession.tsx';
import { openState } from '../shared/openState.tsx';
import { STATES } from './states.ts';

await openState(STATES, ({ message, more = [] }, root) => {
  const posted: SessionPageMessage[] = [];
  let tell: (message: SessionHostMessage) => void = () => undefined;
  Object.assign(window, { posted });
  startSession(root, {
    post: (asked) => {
      posted.push(asked);
      if (asked.type === 'ready') for (const each of [message, ...more]) tell(each);
    },
    listen: (receive) => {
      tell = receive;
      return () => undefined;
    },
    kept: () => undefined,
    keep: () => undefined,
  });
});
