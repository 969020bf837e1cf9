/**
 * How long the usage tab takes in the real editor, from the tab to the first plot that is drawn: of a ledger with 100,000
 * exchanges beside one with a handful, which is what the editor itself takes. `node bench/usageTab.ts [--rounds 5]`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EXTENSIONS_VARIABLE, installPackagedExtension } from '../scripts/lib/installedExtension.ts';
import { openEditor } from '../test/support/editor/editor.ts';
import { closeSharedBrowser } from '../test/support/editor/sharedBrowser.ts';
import { UsageTab } from '../test/support/editor/usageTab.ts';
import { fillLedger } from '../test/support/ledgers.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const COUNTS = [60, 100_000];

const extension = await installPackagedExtension();
process.env[EXTENSIONS_VARIABLE] = extension.path;
for (const count of COUNTS) {
  const times = await openings(count);
  const [first = 0, ...again] = times;
  const median = again.toSorted((a, b) => a - b)[Math.floor(again.length / 2)] ?? 0;
  console.log(`${count} exchanges: ${first.toFixed(0)} ms at first, then ${median.toFixed(0)} ms (median)`);
}
await closeSharedBrowser();
await extension.remove();

/** In milliseconds, the first with the start of all that is loaded late. */
async function openings(count: number): Promise<number[]> {
  await using editor = await openEditor({
    name: `usage of ${count}`,
    prepareStorage: (folder) => fillLedger(join(folder, 'ledger.sqlite'), count, Date.now()),
  });
  const usage = new UsageTab(editor.page);
  const times: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await editor.workbench.runCommand('Model Access: Open Usage');
    await editor.page.getByRole('tab', { name: 'Usage', selected: true }).waitFor();
    const started = performance.now();
    await usage.frame.locator('main[aria-busy="false"] .plot svg').first().waitFor();
    times.push(performance.now() - started);
    await editor.workbench.runCommand('View: Close Editor');
    await editor.page.getByRole('tab', { name: 'Usage' }).waitFor({ state: 'detached' });
  }
  return times;
}
