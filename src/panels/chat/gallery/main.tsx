/**
 * The panel's states in a plain page, without an editor. Query: `state` (a name of `states.ts`; without it an overview),
 * `theme` (dark, light, hc, hc-light), `width` in pixels, `language` (de, zh-cn; else English), `motion=reduce`,
 * `clock=live` (else time stands still).
 */
import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import { setLanguage } from '../../../display/language.ts';
import type { HostMessage, PanelMessage } from '../../../editor/chat/protocol.ts';
import { startPanel } from '../startPanel.tsx';
import { Overview } from './overview.tsx';
import { NOW } from './samples.ts';
import { ScriptedHost } from './scriptedHost.ts';
import { STATES } from './states.ts';
import { applyTheme, isTheme } from './themes.ts';
import './gallery.css';
import './themes.css';

declare global {
  interface Window {
    /** For tests: what the panel has posted, and a way to tell it something as its host. */
    posted: readonly PanelMessage[];
    tell: (message: HostMessage) => void;
  }
}

const query = new URLSearchParams(location.search);
const theme = query.get('theme') ?? '';
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id "root".');

const BUNDLES = {
  de: () => import('../../../../l10n/bundle.l10n.de.json'),
  'zh-cn': () => import('../../../../l10n/bundle.l10n.zh-cn.json'),
};
const language = query.get('language');
if (language === 'de' || language === 'zh-cn') {
  l10n.config({ contents: (await BUNDLES[language]()).default });
  setLanguage(language);
  document.documentElement.lang = language;
}

applyTheme(isTheme(theme) ? theme : 'dark');
document.body.classList.toggle('vscode-reduce-motion', query.get('motion') === 'reduce');

const state = STATES.find(({ name }) => name === query.get('state'));
if (state === undefined) {
  document.body.classList.add('overview');
  render(<Overview theme={isTheme(theme) ? theme : 'dark'} width={Number(query.get('width') ?? 340)} />, root);
} else {
  const width = query.get('width');
  if (width !== null) root.style.width = `${width}px`;
  const live = state.live === true || query.get('clock') === 'live';
  const started = Date.now();
  const host = new ScriptedHost(state);
  window.posted = host.posted;
  window.tell = (message) => host.tell(message);
  const store = startPanel(root, host, {
    schedule: (flush) => requestAnimationFrame(flush),
    now: () => (live ? NOW + Date.now() - started : NOW),
  });
  // After the composer has taken the focus, as when a person opens it.
  requestAnimationFrame(() => {
    store.compared.value = state.compared ?? [];
    store.popover.value = state.popover;
    if (state.context !== undefined) store.type(store.draft.value);
    if (state.prompts !== undefined) host.tell({ type: 'prompts', prompts: state.prompts });
    if (state.history !== undefined) host.tell({ type: 'showHistory' });
    if (state.editing !== undefined) store.edit(state.editing);
    if (state.notice !== undefined) host.tell({ type: 'notice', notice: { id: 'n', text: state.notice } });
  });
}
