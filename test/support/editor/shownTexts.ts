import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { stringsOfSources } from '../../../scripts/lib/stringsOfSources.ts';
import { eventually } from './eventually.ts';

/** The English words that sources show, by the folders that they are in. */
export async function wordsOfSources(folders: readonly string[]): Promise<ReadonlySet<string>> {
  const strings = await Promise.all(folders.map((folder) => stringsOfSources(folder)));
  return new Set(strings.flatMap((found) => Object.keys(found)));
}

/** Keys whose translation is the same word, such as `Format` in German. */
export async function sameInBoth(language: string): Promise<ReadonlySet<string>> {
  const words: unknown = JSON.parse(await readFile(join(ROOT, 'l10n', `bundle.l10n.${language}.json`), 'utf8'));
  return new Set(Object.entries(words ?? {}).flatMap(([key, text]) => (key === text ? [key] : [])));
}

/**
 * What is drawn in a page, and what assistive technology and tooltips say, once no more of it comes. What samples say in
 * place of a service or of the editor is in English, so it is left out: answers, errors, and the names of groups of chats.
 */
export async function shownTexts(page: Page): Promise<string[]> {
  let texts: string[] = [];
  await eventually('the same texts in two looks', async () => {
    const before = texts;
    texts = await textsNow(page);
    return isDeepStrictEqual(texts, before);
  });
  return texts;
}

function textsNow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('#root :not(.card.error *, .markdown :is(th, td, p, li), .history-page :is([role=group], .history-group *))')].flatMap((element) => [
      ...[...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data.trim()),
      ...['aria-label', 'aria-valuetext', 'title', 'placeholder'].flatMap((name) => element.getAttribute(name) ?? []),
    ])`,
  );
}
