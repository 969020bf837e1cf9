/** Renders formulas. Loaded with the first formula. */
import * as l10n from '@vscode/l10n';
import katex from 'katex';

/** Longer formulas would take noticeable time to render. In characters. */
const MAX_LENGTH = 2000;

/**
 * Renders a formula into an element, with elements and style objects, which the panel's content security policy allows.
 * Commands that would load or link something are not executed.
 *
 * @throws Error that explains what is wrong with the formula.
 */
export function drawFormula(tex: string, element: HTMLElement, display: boolean): void {
  if (tex.length > MAX_LENGTH) throw new Error(l10n.t('The formula is too long to be drawn.'));
  katex.render(tex, element, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    strict: 'ignore',
    maxSize: 40,
    maxExpand: 300,
  });
}
