/**
 * The parameters in the address of all galleries: `state` (without it an overview), `theme` (dark, light, hc,
 * hc-light), `width` in pixels, `language` (de, zh-cn; otherwise English), `motion=reduce`, `clock=live` (otherwise the
 * clock stands still).
 */
import * as l10n from '@vscode/l10n';
import { setLanguage } from '../../../display/language.ts';
import { applyTheme, isTheme, type Theme } from './themes.ts';
import './gallery.css';
import './themes.css';

export interface GalleryPage {
  readonly root: HTMLElement;
  readonly theme: Theme;
  /** The name of the state; `undefined` for the overview. */
  readonly state: string | undefined;
  readonly width: number | undefined;
  readonly isClockLive: boolean;
}

const BUNDLES = {
  de: () => import('../../../../l10n/bundle.l10n.de.json'),
  'zh-cn': () => import('../../../../l10n/bundle.l10n.zh-cn.json'),
};

/** Sets the language and theme of the page. */
export async function openGalleryPage(): Promise<GalleryPage> {
  const query = new URLSearchParams(location.search);
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no element with the id "root".');
  await applyLanguage(query.get('language'));
  const name = query.get('theme') ?? '';
  const theme = isTheme(name) ? name : 'dark';
  applyTheme(theme);
  // For tests, like `tell` and `posted`.
  Object.assign(globalThis, { applyTheme });
  document.body.classList.toggle('vscode-reduce-motion', query.get('motion') === 'reduce');
  const state = query.get('state') ?? undefined;
  if (state === undefined) document.body.classList.add('overview');
  const width = Number(query.get('width') ?? 0);
  return {
    root,
    theme,
    state,
    width: width > 0 ? width : undefined,
    isClockLive: query.get('clock') === 'live',
  };
}

async function applyLanguage(language: string | null): Promise<void> {
  if (language !== 'de' && language !== 'zh-cn') return;
  l10n.config({ contents: (await BUNDLES[language]()).default });
  setLanguage(language);
  document.documentElement.lang = language;
}
