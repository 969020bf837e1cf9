import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Locator } from 'playwright-core';

interface AccessibilityLook {
  /** These rules of axe alone; all of them without it. */
  readonly rules?: readonly string[];
  /** A page that is no panel, such as the gallery's, needs no name and language of its own. */
  readonly isBarePage?: boolean;
}

const SETTLED = `Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished),
)`;
const OF_PAGES = ['document-title', 'html-has-lang'];

/**
 * Runs axe in the document that has this body: a webview is two frames deep in pages of other origins, which axe does
 * not cross by itself.
 *
 * @returns each violation with the first element that it is about.
 */
export async function accessibilityViolations(body: Locator, look: AccessibilityLook = {}): Promise<string[]> {
  await body.evaluate(`if (!globalThis.axe) { ${axe.source} }`);
  // In the middle of a transition, colours are those of neither end.
  await body.evaluate(SETTLED);
  const violations: AxeResults['violations'] = await body.evaluate(
    `axe.run(document, ${JSON.stringify(optionsOf(look))}).then(({ violations }) => violations)`,
  );
  return violations.map(({ id, help, nodes }) => {
    const [first] = nodes;
    return `${id}: ${help} (${nodes.length}): ${first?.html} ${first?.failureSummary ?? ''}`;
  });
}

function optionsOf({ rules, isBarePage = false }: AccessibilityLook): RunOptions {
  return {
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
    ...(isBarePage && { rules: Object.fromEntries(OF_PAGES.map((rule) => [rule, { enabled: false }])) }),
  };
}
