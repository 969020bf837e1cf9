import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

/** Called by the editor inside its extension host. `scripts/testHost.ts` and `scripts/testDesktop.ts` bundle it. */
export async function run(): Promise<void> {
  const mocha = new Mocha({
    ui: 'bdd',
    color: process.env.FORCE_COLOR === '1',
    timeout: 60_000,
    forbidOnly: process.env.CI !== undefined,
  });
  const pattern = process.env.MODEL_ACCESS_TEST_GREP;
  if (pattern !== undefined) mocha.grep(new RegExp(pattern));
  mocha.rootHooks({ beforeEach: closeChat });
  markReport(process.env.MODEL_ACCESS_TEST_MARK);
  const files = await readdir(import.meta.dirname);
  const suites = files.filter((file) => file.endsWith('.test.js'));
  for (const suite of suites.sort()) mocha.addFile(join(import.meta.dirname, suite));
  await mocha.loadFilesAsync();
  await foldersAreRead();
  await leaveTitlesUnwritten();
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}

/**
 * Waits until the folders of a workspace file are read. The editor reads the file when its server responds. In a browser
 * it sometimes misses that moment, and then reads the file only when it changes.
 */
async function foldersAreRead(): Promise<void> {
  const { workspaceFile } = vscode.workspace;
  if (workspaceFile === undefined) return;
  await eventually('the folders of the workspace', async () => {
    if (vscode.workspace.workspaceFolders?.length) return true;
    const now = new Date();
    await utimes(workspaceFile.fsPath, now, now);
    return false;
  });
}

/** A title is another request to the service that answers. */
async function leaveTitlesUnwritten(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('modelAccess.chat');
  await settings.update('writeTitles', false, vscode.ConfigurationTarget.Global);
}

/**
 * Closes the chat panel, which would draw everything that the tests do. The extension shows it once after its
 * installation, and some commands do.
 */
async function closeChat(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
}

/**
 * Starts each line of the report with a mark, if the runner sets one to find them in the editor's log. The desktop
 * editor prints only the report and needs no mark.
 */
function markReport(mark: string | undefined): void {
  if (mark === undefined) return;
  Mocha.reporters.Base.consoleLog = (...values: unknown[]) => console.log(mark + format(...values));
}
