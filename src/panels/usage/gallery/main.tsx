/** Shows the usage view's states in a plain page, without an editor. `galleryPage.ts` reads the page's address. */
import { openState } from '../../shared/gallery/openState.tsx';
import { startUsage } from '../startUsage.tsx';
import { ScriptedHost } from './scriptedHost.ts';
import { STATES } from './states.ts';

await openState(STATES, ({ state }, root) => {
  const host = new ScriptedHost(state);
  Object.assign(window, { posted: host.posted });
  startUsage(root, host);
});
