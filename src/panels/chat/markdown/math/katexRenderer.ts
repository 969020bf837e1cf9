/** Renders formulas. Loaded with the first formula. */
import * as l10n from '@vscode/l10n';
import katex from 'katex';

/** Longer formulas would take noticeable time to render. In ASCII characters. */
const MAX_LENGTH = 2000;

/** KaTeX's fonts lack most other characters, and the browser lays out each of them in a font of its own. */
const WEIGHT_OF_OTHERS = 5;

/**
 * Maximum number of elements of a formula, and of elements around one of them. A short formula can have a thousand
 * cells, or be nested so deep that the browser's layout runs out of stack.
 */
const MAX_ELEMENTS = 3000;
const MAX_DEPTH = 250;

/** Maximum depth of nested groups. KaTeX lays out each group again for each one around it. */
const MAX_NESTING = 40;

const GROUP = /\\(?:left|right|begin|end)(?![A-Za-z])|\\.|[{}]/gs;

/**
 * Renders a formula into an element, with elements and style objects, which the panel's content security policy allows.
 * Commands that would load or link something are not executed.
 *
 * @returns the number of elements that the browser has to lay out, with long text counted as more than one.
 * @throws Error that explains what is wrong with the formula.
 */
export function drawFormula(tex: string, element: HTMLElement, display: boolean): number {
  const weight = weightOf(tex);
  if (weight > MAX_LENGTH) throw new Error(l10n.t('The formula is too long to be drawn.'));
  if (isNested(tex)) throw new Error(l10n.t('The formula is too complex to be drawn.'));
  const drawn = document.createElement('span');
  katex.render(tex, drawn, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    strict: 'ignore',
    maxSize: 40,
    maxExpand: 300,
  });
  // It is not in the page yet and has no layout, so that counting costs little.
  const { length } = drawn.getElementsByTagName('*');
  if (length > MAX_ELEMENTS || isDeeper(drawn, MAX_DEPTH)) {
    throw new Error(l10n.t('The formula is too complex to be drawn.'));
  }
  element.replaceChildren(...drawn.childNodes);
  return length + 2 * weight;
}

function weightOf(tex: string): number {
  const others = tex.length > MAX_LENGTH ? 0 : (tex.match(/[^\x20-\x7e\s]/g)?.length ?? 0);
  return tex.length + (WEIGHT_OF_OTHERS - 1) * others;
}

function isNested(tex: string): boolean {
  let depth = 0;
  for (const [mark] of tex.matchAll(GROUP)) {
    if (mark === '\\left' || mark === '\\begin' || mark === '{') depth += 1;
    else if (mark === '\\right' || mark === '\\end' || mark === '}') depth -= 1;
    if (depth > MAX_NESTING) return true;
  }
  return false;
}

function isDeeper(element: Element, depth: number): boolean {
  return depth === 0 || Array.from(element.children).some((child) => isDeeper(child, depth - 1));
}
