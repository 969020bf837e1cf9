import * as vscode from 'vscode';
import { openFirstSteps } from '../firstSteps/firstStepsPage.ts';
import type { Log } from '../log/log.ts';
import type { CommandTable } from './commands.ts';

export function helpCommands(extension: vscode.Extension<unknown>, log: Log): CommandTable {
  return {
    'modelAccess.openLog': { run: () => log.show() },
    'modelAccess.openSettings': {
      run: () => vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extension.id}`),
    },
    'modelAccess.openFirstSteps': { run: openFirstSteps },
    'modelAccess.openPrivacy': {
      run: () =>
        vscode.commands.executeCommand(
          'markdown.showPreview',
          vscode.Uri.joinPath(extension.extensionUri, 'media', 'privacy.md'),
        ),
    },
  };
}
