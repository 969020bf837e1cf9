/**
 * The parameters in the address of all galleries: `state` (without it an overview), `theme` (dark, light, hc,
 * hc-light), `width` in pixels, `language` (de, zh-cn, or marked; otherwise English), `motion=reduce`, `clock=live`
 * (otherwise the clock stands still).
 */
import * as l10n from '@vscode/l10n';
import { setLanguage } from '../../../src/display/language.ts';
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

type Texts = Readonly<Record<string, string>>;

const BUNDLES: Readonly<Record<string, () => Promise<Texts>>> = {
  de: async () => (await import('../../../l10n/bundle.l10n.de.json')).default,
  'zh-cn': async () => (await import('../../../l10n/bundle.l10n.zh-cn.json')).default,
  // German, which takes the most room, with marks. A text without a mark is not translated.
  marked: async () => marked((await import('../../../l10n/bundle.l10n.de.json')).default),
};
/** Invisible and without width. */
const MARK = '\u2060';

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

async function applyLanguage(name: string | null): Promise<void> {
  const contents = await BUNDLES[name ?? '']?.();
  if (name === null || contents === undefined) return;
  const language = name === 'marked' ? 'de' : name;
  l10n.config({ contents });
  setLanguage(language);
  document.documentElement.lang = language;
}

function marked(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, MARK + text]));
}
