/**
 * How long the usage tab takes in the real editor, from the tab to the first plot that is drawn: of a ledger with 100,000
 * exchanges, of one with a handful, and beside them a webview with nothing in it, which is what the editor itself takes.
 * The three are opened in turns in one editor each. `node bench/usageTab.ts [--rounds 5]`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator } from 'playwright-core';
import { EXTENSIONS_VARIABLE, installPackagedExtension } from '../scripts/lib/installedExtension.ts';
import { ROOT } from '../scripts/lib/paths.ts';
import { type Editor, openEditor } from '../test/support/editor/editor.ts';
import { closeSharedBrowser } from '../test/support/editor/sharedBrowser.ts';
import { UsageTab } from '../test/support/editor/usageTab.ts';
import { fillLedger } from '../test/support/ledgers.ts';
import { median } from './load.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const COUNTS = [60, 100_000];

interface Opened {
  readonly command: string;
  readonly tab: string;
  /** Is there when the page shows what it is for. */
  readonly content: Locator;
}

const extension = await installPackagedExtension();
process.env[EXTENSIONS_VARIABLE] = extension.path;
for (const count of COUNTS) {
  const [empty, usage] = await openings(count);
  const text = ([first = 0, ...again]: readonly number[]) =>
    `${first.toFixed(0)} ms at first, then ${median(again).toFixed(0)} ms`;
  const beyond = median(usage.slice(1)) - median(empty.slice(1));
  console.log(`${count} exchanges: ${text(usage)}; an empty webview ${text(empty)}; beyond it ${beyond.toFixed(0)} ms`);
}
await closeSharedBrowser();
await extension.remove();

/** In milliseconds, the first with the start of all that is loaded late. */
async function openings(count: number): Promise<readonly [empty: number[], usage: number[]]> {
  await using editor = await openEditor({
    name: `usage of ${count}`,
    prepareStorage: (folder) => fillLedger(join(folder, 'ledger.sqlite'), count, Date.now()),
    otherExtensions: [join(ROOT, 'test', 'fixtures', 'emptyWebview')],
  });
  const usageTab = new UsageTab(editor.page);
  const empty: Opened = {
    command: 'Acme: Open Empty Webview',
    tab: 'Empty',
    content: editor.page
      .frameLocator('iframe.webview[src*="extensionId=acme.empty-webview"]')
      .frameLocator('iframe#active-frame')
      .locator('main'),
  };
  const usage: Opened = {
    command: 'Model Access: Open Usage',
    tab: 'Usage',
    content: usageTab.frame.locator('main[aria-busy="false"] .plot svg').first(),
  };
  const times: readonly [number[], number[]] = [[], []];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    times[0].push(await open(editor, empty));
    times[1].push(await open(editor, usage));
  }
  return times;
}

async function open(editor: Editor, { command, tab, content }: Opened): Promise<number> {
  await editor.workbench.runCommand(command);
  await editor.page.getByRole('tab', { name: tab, selected: true }).waitFor();
  const started = performance.now();
  await content.waitFor();
  const took = performance.now() - started;
  await editor.workbench.runCommand('View: Close Editor');
  await editor.page.getByRole('tab', { name: tab }).waitFor({ state: 'detached' });
  return took;
}
