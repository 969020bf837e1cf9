/** The part of the panel that is loaded with the first formula. */
import katex from 'katex';

/**
 * Draws a formula into an element, as elements and through their style objects, which the panel's content policy
 * allows. Commands that would load or link something are not carried out.
 *
 * @throws an error that says what is wrong with the formula.
 */
export function drawFormula(tex: string, element: HTMLElement, display: boolean): void {
  katex.render(tex, element, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    strict: 'ignore',
    maxSize: 40,
    maxExpand: 300,
  });
}
