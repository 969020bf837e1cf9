import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { FORMAT_NAMES } from '../../../src/formats/conversation.ts';
import type { GalleryPage } from './galleryPage.ts';

const BUNDLE = join(ROOT, 'l10n', 'bundle.l10n.de.json');
const TEXTS = `[...document.querySelectorAll('#root :not(.card.error *, pre, pre *, .markdown :is(th, td, p, li, h1, h2, h3, h4, h5, h6), .history-page :is([role=group], .history-group *))')].flatMap((element) => [
  ...[...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data.trim()),
  ...['aria-label', 'aria-valuetext', 'title', 'placeholder'].flatMap((name) => element.getAttribute(name) ?? []),
])`;

/**
 * Returns the English texts in the sources of these folders. They are the keys of every bundle, which `npm run
 * check:strings` ensures, because parsing the sources for them takes ten seconds.
 */
export async function wordsOfSources(folders: readonly string[]): Promise<ReadonlySet<string>> {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`);
  const paths = await Array.fromAsync(glob(patterns, { cwd: ROOT }));
  const sources = await Promise.all(paths.map((path) => readFile(join(ROOT, path), 'utf8')));
  const isInSources = (word: string) => sources.some((source) => source.includes(quoted(word)));
  const bundle: object = JSON.parse(await readFile(BUNDLE, 'utf8'));
  // A format has the same name in every language.
  const formats: readonly string[] = FORMAT_NAMES;
  return new Set(Object.keys(bundle).filter((word) => !formats.includes(word) && isInSources(word)));
}

/** Quotes a text as the formatter does. */
function quoted(word: string): string {
  const quote = word.includes("'") && !word.includes('"') ? '"' : "'";
  return quote + word.replaceAll('\n', '\\n') + quote;
}

/** Reads the texts whenever the page has nothing else to do, until no more have appeared. */
const SETTLED = `(async () => {
  for (let before; ; ) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    const texts = ${TEXTS};
    if (JSON.stringify(texts) === JSON.stringify(before)) return texts;
    before = texts;
  }
})()`;

/**
 * Returns the texts that are shown in a page, and those of assistive technology and tooltips, once no more appear.
 * Texts of samples that stand for a service or the editor are English and omitted: answers, code, errors, and the
 * names of groups of chats.
 */
export async function shownTexts(gallery: GalleryPage): Promise<string[]> {
  for (;;) {
    await gallery.receive();
    const texts = await gallery.page.evaluate<string[]>(SETTLED);
    // What was shown meanwhile may have requested something.
    if (!(await gallery.receive())) return texts;
  }
}
