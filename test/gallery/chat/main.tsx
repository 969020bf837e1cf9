/** Shows the chat panel's states in a plain page, without an editor. `galleryPage.ts` reads the page's address. */
import { render } from 'preact';
import type { ChatPanelMessage } from '../../../src/pages/chat/panelMessages.ts';
import type { ChatHostMessage } from '../../../src/pages/chat/protocol.ts';
import { PacedFrames } from '../../../src/panels/chat/pacedFrames.ts';
import { startPanel } from '../../../src/panels/chat/startPanel.tsx';
import type { ChatStore } from '../../../src/panels/chat/store.ts';
import { openGalleryPage } from '../shared/galleryPage.ts';
import { Overview } from '../shared/overview.tsx';
import { showFirst } from '../shared/showState.ts';
import { NOW } from './samples.ts';
import { ScriptedHost } from './scriptedHost.ts';
import { type GalleryState, STATES } from './states.ts';

declare global {
  interface Window {
    /** For tests: the messages that the panel has posted, and a function that sends it a message from the host. */
    posted: readonly ChatPanelMessage[];
    tell: (message: ChatHostMessage) => void;
  }
}

const WIDTHS = [220, 280, 340, 560];

const page = await openGalleryPage();
if (page.state === undefined) {
  render(<Overview states={STATES} widths={WIDTHS} theme={page.theme} width={page.width ?? 340} />, page.root);
} else {
  if (page.width !== undefined) page.root.style.width = `${page.width}px`;
  await showFirst(page.state, STATES, page.root, show);
}

function show(state: GalleryState, root: HTMLElement): void {
  const live = state.live === true || page.isClockLive;
  const started = Date.now();
  const host = new ScriptedHost(state);
  window.posted = host.posted;
  window.tell = (message) => host.send(message);
  const frames = new PacedFrames();
  const store = startPanel(root, host, {
    schedule: (flush) => frames.schedule(flush),
    now: () => (live ? NOW + Date.now() - started : NOW),
  });
  // Runs after the composer has taken the focus, as in the editor, and after the fonts have loaded: a field that takes
  // the focus is scrolled into view at its position at that time.
  requestAnimationFrame(() => document.fonts.ready.then(() => play(state, store, host)));
}

function play(state: GalleryState, store: ChatStore, host: ScriptedHost): void {
  if (state.compared !== undefined) store.models.compared.value = state.compared;
  if (state.popover !== undefined) store.popover.value = state.popover;
  if (state.context !== undefined) store.composition.type(store.composition.draft.value);
  store.composition.page.value = state.page;
  if (state.prompts !== undefined) host.send({ type: 'prompts', prompts: state.prompts });
  if (state.history !== undefined) host.send({ type: 'showHistory' });
  if (state.editing !== undefined) store.editor.open(state.editing);
  if (state.notice !== undefined) host.send({ type: 'notice', notice: { id: 'n', text: state.notice } });
}
