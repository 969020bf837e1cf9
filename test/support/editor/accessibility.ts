import axe, { type AxeResults } from 'axe-core';
import type { ChatPanel } from './chatPanel.ts';

const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`;

/**
 * Runs axe inside the panel's own frame: a webview is two frames deep in pages of other origins, which axe does not
 * cross by itself.
 *
 * @returns each violation with the first element that it is about.
 */
export async function accessibilityViolations(chat: ChatPanel): Promise<string[]> {
  const body = chat.frame.locator('body');
  await body.evaluate(`if (!globalThis.axe) { ${axe.source} }`);
  const violations: AxeResults['violations'] = await body.evaluate(RUN);
  return violations.map(({ id, help, nodes }) => {
    const [first] = nodes;
    return `${id}: ${help} (${nodes.length}): ${first?.html} ${first?.failureSummary ?? ''}`;
  });
}
