import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../../../scripts/lib/paths.ts';

const Manifest = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.string() })),
    views: z.record(z.string(), z.array(z.object({ id: z.string(), name: z.string() }))),
  }),
});
const Texts = z.record(z.string(), z.string());

/** Commands of the editor that suites run and that ask no questions. */
const OF_EDITOR = {
  'Chat: Manage Language Models': 'workbench.action.chat.manage',
  'Chat: Open Chat (Agent)': 'workbench.action.chat.openagent',
  'Developer: Reload Webviews': 'workbench.action.webview.reloadWebviewAction',
  'Go to Next Problem (Error, Warning, Info)': 'editor.action.marker.next',
  'Terminal: Create New Terminal': 'workbench.action.terminal.new',
  'Terminal: Kill All Terminals': 'workbench.action.terminal.killAll',
  'Terminal: Select All': 'workbench.action.terminal.selectAll',
  'View: Close All Editors': 'workbench.action.closeAllEditors',
  'View: Close Editor': 'workbench.action.closeActiveEditor',
  'View: Close Primary Side Bar': 'workbench.action.closeSidebar',
  'View: Hide Panel': 'workbench.action.closePanel',
  'View: Reset View Locations': 'workbench.action.resetViewLocations',
  'View: Revert and Close Editor': 'workbench.action.revertAndCloseActiveEditor',
  'View: Show Explorer': 'workbench.view.explorer',
  'View: Toggle Primary Side Bar Visibility': 'workbench.action.toggleSidebarVisibility',
  'View: Toggle Secondary Side Bar Visibility': 'workbench.action.toggleAuxiliaryBar',
};
/** Commands, one of them the editor's, that wait for an answer. */
const ASKING = {
  'Acme: Copy Link from Outside': 'acme.copyLinkFromOutside',
  'View: Move View': 'workbench.action.moveView',
};
const ENDING: ReadonlySet<string> = new Set(Object.values(OF_EDITOR));

let ids: Promise<ReadonlyMap<string, string>> | undefined;

/**
 * @param title the command as the palette names it, such as `Model Access: Open Chat`.
 * @throws Error if neither the extension's manifest nor the list of the editor's commands contains it.
 */
export async function commandId(title: string): Promise<string> {
  ids ??= readIds();
  const id = (await ids).get(title);
  if (id === undefined) throw new Error(`No command is called “${title}”.`);
  return id;
}

/** Whether a command always ends by itself. The extension's commands may ask a question and end after the answer. */
export function endsByItself(id: string): boolean {
  return ENDING.has(id);
}

async function readIds(): Promise<ReadonlyMap<string, string>> {
  const { commands, views } = z.parse(Manifest, await readJson('package.json')).contributes;
  const texts = z.parse(Texts, await readJson('package.nls.json'));
  const text = (key: string) => texts[key.slice(1, -1)] ?? key;
  return new Map([
    ...Object.entries(OF_EDITOR),
    ...Object.entries(ASKING),
    ...commands.map(({ command, title, category }) => [`${category}: ${text(title)}`, command] as const),
    ...Object.values(views)
      .flat()
      .map(({ id, name }) => [`Model Access: Focus on ${text(name)} View`, `${id}.focus`] as const),
  ]);
}

async function readJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(ROOT, name), 'utf8'));
}
