import assert from 'node:assert/strict';
import axe, { type RunOptions } from 'axe-core';
import type { Locator } from 'playwright-core';

interface AccessibilityLook {
  /** Checks only these rules of axe; all of them if undefined. */
  readonly rules?: readonly string[];
  /** True for a page that is not a panel, such as the gallery's, which needs no title or language. */
  readonly isBarePage?: boolean;
}

/** During a transition, colors are neither those of its start nor of its end. */
const SETTLED = `Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished),
)`;
/** What axe prepares for the selectors that `optionsOf` omits, from all attributes of all elements: a fifth of its time. */
const SELECTORS = 'axe._selectorData = _getSelectorData(context.flatTree);';
assert.ok(axe.source.includes(SELECTORS));
/** By default, axe serializes each element that it looks at, with all of its contents. */
const AXE = `${axe.source.replace(SELECTORS, '')}; axe.configure({ noHtml: true });`;
const MAX_SOURCE_LENGTH = 300;
const OF_PAGES = ['document-title', 'html-has-lang'];

/**
 * Runs axe in the document that contains this body: a webview is in two nested frames of other origins, which axe does
 * not enter itself.
 *
 * @returns each violation with the first element that it concerns.
 */
export async function accessibilityViolations(body: Locator, look: AccessibilityLook = {}): Promise<string[]> {
  if (!(await body.evaluate<boolean, unknown>('"axe" in globalThis'))) await body.evaluate(AXE);
  return body.evaluate<string[], unknown>(
    `${SETTLED}.then(() => axe.run(document, ${JSON.stringify(optionsOf(look))})).then(({ violations }) =>
      violations.map(({ id, help, nodes: [{ element, failureSummary }, ...others] }) => {
        const source = element.outerHTML.slice(0, ${MAX_SOURCE_LENGTH});
        return \`\${id}: \${help} (\${others.length + 1}): \${source} \${failureSummary}\`;
      }))`,
  );
}

function optionsOf({ rules, isBarePage = false }: AccessibilityLook): RunOptions {
  return {
    resultTypes: ['violations'],
    elementRef: true,
    // Selectors are not in the result, and only rules about films and sounds need styles and media to be loaded again.
    selectors: false,
    preload: false,
    ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
    ...(isBarePage && { rules: Object.fromEntries(OF_PAGES.map((rule) => [rule, { enabled: false }])) }),
  };
}
