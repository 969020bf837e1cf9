import type { ViewportSize } from 'playwright-core';
import { THEMES } from '../../gallery/shared/themes.ts';
import { accessibilityViolations } from './accessibility.ts';
import { brokenRows, rowsOf, type ShownRow } from './brokenRows.ts';
import type { Look } from './lookAtStates.ts';
import { shownTexts, wordsOfSources } from './shownTexts.ts';

/** The states are shown in the dark theme. */
const OTHER_THEMES = THEMES.filter((name) => name !== 'dark');

interface Room {
  readonly widths: readonly number[];
  /** Selects the elements that must not be wider than the panel. */
  readonly boxes: string;
  /** The editor's font size in pixels; 13 by default. */
  readonly fontSize?: number;
  /** True for a panel whose scripts draw some parts again when its width has changed, after the layout of a frame. */
  readonly drawsAgain?: boolean;
}

/**
 * Whether the panel fits into each width. The page keeps its size, because resizing it takes several times as long.
 * Panels depend on their own width only: see `widths.test.ts`.
 */
export function fits(room: Room): Look {
  return async ({ page }) => {
    const { needed, overlapping } = await page.evaluate(measured, room);
    const tooWide = room.widths.flatMap((width, nth) => {
      const found = needed[nth] ?? 0;
      return found > width ? [`is ${found} wide in ${width}`] : [];
    });
    return [...tooWide, ...overlapping.map((text) => `has lines that overlap: ${text}`)];
  };
}

interface Measured {
  /** The width that the panel needs in each width. */
  readonly needed: readonly number[];
  /** Texts whose lines are less high than their characters. */
  readonly overlapping: readonly string[];
}

/** Runs in the page. */
async function measured({ widths, boxes, fontSize, drawsAgain = false }: Room): Promise<Measured> {
  const root = document.getElementById('root') as HTMLElement;
  const { style } = document.documentElement;
  const needed: number[] = [];
  if (fontSize !== undefined) style.setProperty('--vscode-font-size', `${fontSize}px`);
  // The panel is the containing block of everything in it, as a window is.
  root.style.contain = 'layout';
  for (const width of widths) {
    root.style.width = `${width}px`;
    if (drawsAgain) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    needed.push(Math.max(...Array.from(document.querySelectorAll(boxes), ({ scrollWidth }) => scrollWidth)));
  }
  const overlapping = Array.from(root.querySelectorAll('*')).flatMap((element) => {
    const { lineHeight, fontSize: size } = getComputedStyle(element);
    const isText = Array.from(element.childNodes).some((node) => node instanceof Text && node.data.trim() !== '');
    return isText && Number.parseFloat(lineHeight) < Number.parseFloat(size) ? [element.textContent] : [];
  });
  root.removeAttribute('style');
  style.removeProperty('--vscode-font-size');
  return { needed, overlapping };
}

/**
 * Whether axe finds violations in the dark theme, and too little contrast in the others.
 *
 * @param coloured states that together contain all colors of text on all colors of backgrounds. The others are shown in
 * dark only.
 */
export function isAccessible(sizeOf: (state: string) => ViewportSize, coloured: readonly string[]): Look {
  return async (gallery, state) => {
    await gallery.resize(sizeOf(state));
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

/** The language of the gallery in which a text that is not translated can be recognized. It is as wide as German. */
export const MARKED = 'marked';

/** Whether all texts of these folders' sources are translated, in the language {@link MARKED}. */
export async function isTranslated(folders: readonly string[]): Promise<Look> {
  const english = await wordsOfSources(folders);
  return async (gallery) => (await shownTexts(gallery)).filter((text) => english.has(text));
}

/** The width that the editor gives a side bar. */
const SIDE_BAR_WIDTH = 285;

/** The rows of each state. */
type RowsOfStates = Map<string, readonly ShownRow[]>;

/** Keeps the rows of each state in a side bar, for `breaksNoRow`. */
export function keepsRows(rows: RowsOfStates): Look {
  return async ({ page }, state) => {
    rows.set(state, await rowsOf(page, SIDE_BAR_WIDTH));
    return [];
  };
}

/** Whether each row that is on one line in English is so in the page's language. */
export function breaksNoRow(english: RowsOfStates): Look {
  return async ({ page }, state) => brokenRows(english.get(state) ?? [], await rowsOf(page, SIDE_BAR_WIDTH));
}
