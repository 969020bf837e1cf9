import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { approximately, formatTokens } from '../../display/tokens.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import type { CommandTable } from '../commands/commands.ts';
import { Approvals } from './approvals.ts';
import { ChosenTools } from './chosenTools.ts';
import { definitionOf, knownTools } from './tools/editorTools.ts';

/** @param memory the state of the workspace. */
export function agentCommands(memory: vscode.Memento): CommandTable {
  return {
    'modelAccess.chooseAgentTools': { run: () => chooseTools(new ChosenTools(memory)) },
    'modelAccess.showAgentApprovals': { run: () => showApprovals(new Approvals(memory)) },
  };
}

/** Lets the user tick tools of other extensions and MCP servers, with the tokens that each adds to every step. */
async function chooseTools(chosen: ChosenTools): Promise<void> {
  const tools = knownTools();
  if (tools.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('No other extension or MCP server provides tools. The agent’s built-in tools are always available.'),
    );
    return;
  }
  const items = tools.map((tool) => ({
    label: tool.name,
    description: l10n.t('{0} tokens in each step', approximately(formatTokens(tokensOf(tool)))),
    detail: tool.description,
    picked: chosen.names.includes(tool.name),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: l10n.t('Tools from other extensions for the agent'),
    placeHolder: l10n.t('Changes apply from the next run. Each tool asks before it is used.'),
    matchOnDetail: true,
  });
  if (picked !== undefined) await chosen.choose(picked.map(({ label }) => label));
}

function tokensOf(tool: vscode.LanguageModelToolInformation): number {
  return estimateTokens(JSON.stringify(definitionOf(tool)));
}

/** Lists the approvals of this workspace. Those that the user clears are removed. */
async function showApprovals(approvals: Approvals): Promise<void> {
  const allowed = approvals.list;
  if (allowed.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('Nothing is always allowed in this workspace.'));
    return;
  }
  const items = allowed.map((one) => ({ label: one.pattern, description: kindText(one.kind), picked: true, one }));
  const kept = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: l10n.t('Always allowed for the agent in this workspace'),
    placeHolder: l10n.t('Clear the actions that you want to be asked about again'),
  });
  if (kept === undefined) return;
  for (const item of items) if (!kept.includes(item)) await approvals.forget(item.one.kind, item.one.pattern);
}

function kindText(kind: string): string {
  if (kind === 'command') return l10n.t('command');
  return kind === 'address' ? l10n.t('web address') : l10n.t('tool');
}
