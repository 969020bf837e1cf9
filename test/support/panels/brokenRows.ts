import type { Page } from 'playwright-core';

/**
 * A row of controls or short texts that a panel shows. Sentences are no rows, nor are several buttons side by side: the
 * next one moves below whole.
 */
export interface ShownRow {
  /** The path of the element, which is the same in every language. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}

/** Returns the rows that need several lines, and need one in English. */
export function brokenRows(english: readonly ShownRow[], other: readonly ShownRow[]): readonly string[] {
  const inEnglish = new Map(english.map((row) => [row.path, row]));
  const broken = other.filter(({ path, lines }) => lines > 1 && inEnglish.get(path)?.lines === 1);
  // The rows around a broken one are broken with it.
  const inner = broken.filter(({ path }) => !broken.some((row) => row.path.startsWith(`${path}>`)));
  return inner.map(({ path, text }) => `“${inEnglish.get(path)?.text}” is “${text}” in ${path.split('>').at(-1)}`);
}

/** Returns the rows of the page's panel in a width. The page keeps its size, as in `fits`. */
export function rowsOf(page: Page, width: number): Promise<readonly ShownRow[]> {
  return page.evaluate(readRows, width);
}

/** Runs in the page. */
async function readRows(width: number): Promise<ShownRow[]> {
  const NAMED = 'button, h1, h2, h3, legend, label, summary, dt, dd, th, td, a, [role="option"], [role="menuitem"]';
  const rows: ShownRow[] = [];
  const isRow = (element: Element) => {
    const { display, flexDirection } = getComputedStyle(element);
    return element.matches(NAMED) || (display.endsWith('flex') && flexDirection === 'row');
  };
  const isOfButtons = ({ children }: Element) =>
    children.length > 1 && [...children].every((each) => each.matches('button, a'));
  const linesOf = (element: Element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    // Texts for screen readers are one pixel wide.
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    const texts = rects.filter(({ height }) => height < 32).toSorted((a, b) => a.top - b.top);
    let [count, end] = [0, Number.NEGATIVE_INFINITY];
    for (const { top, bottom } of texts) {
      const middle = (top + bottom) / 2;
      if (middle > end) {
        count += 1;
        end = bottom;
      }
    }
    return count;
  };
  const walk = (element: Element, path: string) => {
    // Reading the text of an element takes long, and most are no rows.
    if (isRow(element) && !isOfButtons(element)) {
      const text = (element as HTMLElement).innerText?.replaceAll(/\s+/g, ' ').trim() ?? '';
      const isSentence = /[.?!:…](?:$| )/.test(text) || text.length > 120;
      if (text !== '' && !isSentence) rows.push({ path, text, lines: linesOf(element) });
    }
    for (const [index, child] of [...element.children].entries()) {
      walk(child, `${path}>${child.tagName.toLowerCase()}.${child.className || index}:${index}`);
    }
  };
  const root = document.getElementById('root') as HTMLElement;
  root.style.contain = 'layout';
  root.style.width = `${width}px`;
  // Some parts are drawn again when the width has changed, after the layout of a frame.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  walk(root, 'root');
  root.removeAttribute('style');
  return rows;
}
