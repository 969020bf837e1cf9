import type * as vscode from 'vscode';
import type { CommandTable } from './commands/commands.ts';
import { allowEditorModels } from './editorModels/allowEditorModels.ts';
import { setUpstreamKey } from './gateway/setUpstreamKey.ts';
import { chooseUtilityModel } from './nativeChat/chooseUtilityModel.ts';
import type { Services } from './services.ts';
import { copyBranchCost } from './usage/usageExport.ts';

/** Commands that each open one dialog. Loaded when one of them first runs. */
export function rareCommands(services: Services, access: vscode.LanguageModelAccessInformation): CommandTable {
  const { settings, upstreamKeys, models, modelUses } = services;
  return {
    'modelAccess.setUpstreamKey': { run: () => setUpstreamKey(settings, upstreamKeys) },
    'modelAccess.allowEditorModels': { run: () => allowEditorModels(access) },
    'modelAccess.chooseUtilityModel': { run: () => chooseUtilityModel(models, modelUses.modelFor('chat')) },
    'modelAccess.copyBranchCost': { run: () => copyBranchCost(services) },
  };
}
