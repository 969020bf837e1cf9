/** Shows the states of the page in a plain browser, without an editor. `galleryPage.ts` reads the page's address. */
import type { ReviewHostMessage, ReviewState } from '../../../src/pages/agentReview/protocol.ts';
import type { ReviewPageMessage } from '../../../src/pages/agentReview/reviewMessages.ts';
import { startReview } from '../../../src/panels/agentReview/reviewPage.tsx';
import { openState } from '../shared/openState.tsx';
import { ScriptedTransport } from '../shared/scriptedTransport.ts';
import { decided, STATES } from './states.ts';

await openState(STATES, ({ state }, root) => {
  let now = state;
  const host = new ScriptedTransport<ReviewHostMessage, ReviewPageMessage>((message, tell) => {
    if (message.type === 'decide') now = decided(now, message.changes, message.decision);
    if (message.type === 'undo') now = state;
    if (message.type === 'cancelRestore') now = withoutRestore(now);
    tell({ type: 'state', state: now });
  });
  Object.assign(window, { posted: host.posted, tell: host.send.bind(host) });
  startReview(root, host);
});

function withoutRestore({ restore: _, ...state }: ReviewState): ReviewState {
  return state;
}
