/** The usage view's states in a plain page, without an editor. Its address is read by `galleryPage.ts`. */
import { openState } from '../../shared/gallery/openState.tsx';
import { startUsage } from '../startUsage.tsx';
import { ScriptedHost } from './scriptedHost.ts';
import { STATES } from './states.ts';

await openState(STATES, ({ state }, root) => {
  const host = new ScriptedHost(state);
  Object.assign(window, { posted: host.posted });
  startUsage(root, host);
});
