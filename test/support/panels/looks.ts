import type { ViewportSize } from 'playwright-core';
import { THEMES } from '../../../src/panels/shared/gallery/themes.ts';
import { accessibilityViolations } from './accessibility.ts';
import type { GalleryPage } from './galleryPage.ts';
import type { Look } from './lookAtStates.ts';
import { sameInBoth, shownTexts, wordsOfSources } from './shownTexts.ts';

/** The states are shown in the dark theme. */
const OTHER_THEMES = THEMES.filter((name) => name !== 'dark');

interface Room {
  readonly widths: readonly number[];
  readonly height: number;
  /** Measures the width that the panel needs. */
  readonly widest: (gallery: GalleryPage) => Promise<number>;
}

/** Whether the panel fits into each width. */
export function fits({ widths, height, widest }: Room): Look {
  return async (gallery) => {
    const faults: string[] = [];
    for (const width of widths) {
      await gallery.page.setViewportSize({ width, height });
      const needed = await widest(gallery);
      if (needed > width) faults.push(`is ${needed} wide in ${width}`);
    }
    return faults;
  };
}

/** Whether the panel fits into each width with text at twice the size. */
export function fitsWithLargeText(room: Room): Look {
  const look = fits(room);
  return async (gallery, state) => {
    const style = 'document.documentElement.style';
    await gallery.page.evaluate(`${style}.setProperty('--vscode-font-size', '26px')`);
    const faults = await look(gallery, state);
    await gallery.page.evaluate(`${style}.removeProperty('--vscode-font-size')`);
    return faults;
  };
}

/**
 * Whether axe finds violations in the dark theme, and too little contrast in the others.
 *
 * @param coloured states that together contain all surfaces that a theme colors. The others are shown in dark only.
 */
export function isAccessible(sizeOf: (state: string) => ViewportSize, coloured: readonly string[]): Look {
  return async (gallery, state) => {
    await gallery.page.setViewportSize(sizeOf(state));
    const body = gallery.page.locator('body');
    const faults = await accessibilityViolations(body, { isBarePage: true });
    if (!coloured.includes(state)) return faults;
    for (const theme of OTHER_THEMES) {
      await gallery.applyTheme(theme);
      const found = await accessibilityViolations(body, { isBarePage: true, rules: ['color-contrast'] });
      faults.push(...found.map((fault) => `in ${theme}: ${fault}`));
    }
    await gallery.applyTheme('dark');
    return faults;
  };
}

/** Whether all texts of these folders' sources are translated. */
export async function isTranslated(language: string, folders: readonly string[]): Promise<Look> {
  const [english, same] = await Promise.all([wordsOfSources(folders), sameInBoth(language)]);
  return async ({ page }) => (await shownTexts(page)).filter((text) => english.has(text) && !same.has(text));
}
