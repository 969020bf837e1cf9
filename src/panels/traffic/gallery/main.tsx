/** The traffic view's states in a plain page, without an editor. Its address is read by `galleryPage.ts`. */
import { render } from 'preact';
import { openGalleryPage } from '../../shared/gallery/galleryPage.ts';
import { Overview } from '../../shared/gallery/overview.tsx';
import { startTraffic } from '../startTraffic.tsx';
import { ScriptedHost } from './scriptedHost.ts';
import { STATES } from './states.ts';

const WIDTHS = [340, 560, 900, 1280];

const page = await openGalleryPage();
const state = STATES.find(({ name }) => name === page.state);
if (state === undefined) {
  render(<Overview states={STATES} widths={WIDTHS} theme={page.theme} width={page.width ?? 900} />, page.root);
} else {
  if (page.width !== undefined) page.root.style.width = `${page.width}px`;
  const host = new ScriptedHost(state);
  Object.assign(window, { posted: host.posted });
  const store = startTraffic(page.root, host);
  const row = store.rows.value.find(({ id }) => id === state.opens);
  if (row !== undefined) store.openExchange(row);
  const { tab } = state;
  if (tab !== undefined) requestAnimationFrame(() => document.getElementById(`tab-${tab}`)?.click());
}
