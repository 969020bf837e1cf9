import * as vscode from 'vscode';
import type { CommandTable } from '../commands/commands.ts';
import type { Log } from '../log/log.ts';
import { openFirstSteps } from './walkthrough.ts';

export function helpCommands(extension: vscode.Extension<unknown>, log: Log): CommandTable {
  const open = (...path: string[]) =>
    vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(extension.extensionUri, ...path));
  return {
    'modelAccess.openLog': { run: () => log.show() },
    'modelAccess.openSettings': {
      run: () => vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extension.id}`),
    },
    'modelAccess.openFirstSteps': { run: openFirstSteps },
    'modelAccess.openPrivacy': { run: () => open('media', 'privacy.md') },
    // Not in the palette: the Usage view links to it.
    'modelAccess.openCaching': { run: () => open('dist', 'caching.md') },
  };
}
