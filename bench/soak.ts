/**
 * Simulates a long day in the real editor with the sandbox: hundreds of turns, and reloads of the panel from time to
 * time. Prints the memory of the window with the panel and of the extension host as a curve; both should be constant.
 * Linux only, because it reads `/proc`. `--turns N` (500), `--reloads N` (50), `--json FILE`.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { EXTENSIONS_VARIABLE, installPackagedExtension } from '../scripts/lib/installedExtension.ts';
import { type Editor, openEditor } from '../test/support/editor/editor.ts';
import { newChat } from '../test/support/editor/sharedEditors.ts';
import { closeSharedBrowser } from '../test/support/sharedBrowser.ts';
import { type Heap, type Sample, sampleOf, showSample, trendOf, windowHeap } from './soak/memory.ts';

const TOGGLE = 'View: Toggle Secondary Side Bar Visibility';
/** Number of questions in a conversation before a new one is started. */
const PER_CONVERSATION = 25;

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '500' },
    reloads: { type: 'string', default: '50' },
    json: { type: 'string' },
  },
});
const turns = Number(values.turns);
const betweenReloads = Math.max(1, Math.floor(turns / Number(values.reloads)));

const extension = await installPackagedExtension();
process.env[EXTENSIONS_VARIABLE] = extension.path;
try {
  const settings = { 'modelAccess.sandbox.enabled': true, 'modelAccess.gateway.port': 0 };
  const editor = await openEditor({ name: 'soak', settings, extensions: 'all' });
  try {
    await editor.openChat();
    const samples = await soak(editor);
    for (const line of trendOf(samples)) console.log(line);
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(samples, undefined, 2)}\n`);
  } finally {
    await editor.close();
  }
} finally {
  await closeSharedBrowser();
  await extension.remove();
}

async function soak(editor: Editor): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    if (turn % PER_CONVERSATION === 0) await newChat(editor);
    await editor.chat.askAndWait(`echo: **Turn ${turn}** of a long day, with \`code\` and a list:\n\n- one\n- two`);
    if ((turn + 1) % betweenReloads !== 0) continue;
    const away = await reloadPanel(editor);
    const sample = await sampleOf(editor, turn + 1, away);
    showSample(sample);
    samples.push(sample);
  }
  return samples;
}

/**
 * Hides and shows the panel: a hidden webview is discarded, and created again when it is shown.
 * @returns the memory of the window without it.
 */
async function reloadPanel(editor: Editor): Promise<Heap> {
  const { workbench, chat } = editor;
  await workbench.runCommand(TOGGLE);
  await chat.composer.waitFor({ state: 'detached' });
  const away = await windowHeap(editor);
  await workbench.runCommand(TOGGLE);
  await chat.turns.first().waitFor();
  return away;
}
