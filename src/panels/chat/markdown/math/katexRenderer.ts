/** The part of the panel that is loaded with the first formula. */
import * as l10n from '@vscode/l10n';
import katex from 'katex';

/** Characters of a formula. A longer one would be felt while it is drawn. */
const MAX_LENGTH = 2000;

/**
 * Draws a formula into an element, as elements and through their style objects, which the panel's content policy
 * allows. Commands that would load or link something are not carried out.
 *
 * @throws an error that says what is wrong with the formula.
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
