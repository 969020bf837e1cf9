import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { deletedOutside, hiddenCharacter } from '../../../agent/commandRules.ts';
import type { ApprovalNeed } from '../../../agent/tools/tool.ts';
import { commandsIn } from '../../../chat/shellBlock.ts';
import type { Lazy } from '../../lazy.ts';

/** What the agent may do without a question. */
export interface KnownApprovals {
  verdictOn(need: ApprovalNeed, chatId: string, isTainted: boolean): { readonly type: 'allowed' | 'denied' | 'ask' };
}

/** Runs commands of answers in the editor's terminals. */
export class TerminalCode {
  readonly #approvals: Lazy<KnownApprovals>;
  /** Terminals in which a command runs, as far as the shell reports it. */
  readonly #busy = new WeakSet<vscode.Terminal>();
  readonly #subscription: vscode.Disposable;

  constructor(approvals: Lazy<KnownApprovals>) {
    this.#approvals = approvals;
    this.#subscription = vscode.Disposable.from(
      vscode.window.onDidStartTerminalShellExecution(({ terminal }) => this.#busy.add(terminal)),
      vscode.window.onDidEndTerminalShellExecution(({ terminal }) => this.#busy.delete(terminal)),
    );
  }

  /** Asks first if the agent would have to ask for this command in the chat. */
  async run(code: string, chatId: string): Promise<void> {
    const command = readable(code);
    if (!(await this.#mayRun(command, chatId))) return;
    const terminal = this.#terminal();
    terminal.show();
    // It also clears what is already typed at the prompt.
    if (terminal.shellIntegration !== undefined) terminal.shellIntegration.executeCommand(command);
    else terminal.sendText(command);
  }

  async insert(code: string): Promise<void> {
    const command = readable(code);
    const terminal = this.#terminal();
    terminal.show();
    if (!command.includes('\n')) return terminal.sendText(command, false);
    // Sent as text, each line but the last would run. A paste does not, where the shell supports it; elsewhere the editor warns.
    const earlier = await vscode.env.clipboard.readText();
    await vscode.env.clipboard.writeText(command);
    await vscode.commands.executeCommand('workbench.action.terminal.paste');
    if (earlier !== '') await vscode.env.clipboard.writeText(earlier);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #mayRun(command: string, chatId: string): Promise<boolean> {
    const outside = deletedOutside(command);
    if (outside === undefined && (await this.#isAllowed(command, chatId))) return true;
    const run = l10n.t('Run in Terminal');
    const detail =
      outside === undefined
        ? command
        : `${l10n.t('It deletes {0}, which is outside the folder.', outside)}\n\n${command}`;
    const options = { modal: true, detail };
    return (await vscode.window.showWarningMessage(l10n.t('Run this in the terminal?'), options, run)) === run;
  }

  /** In a folder that is not trusted, nothing is. */
  async #isAllowed(subject: string, chatId: string): Promise<boolean> {
    if (!vscode.workspace.isTrusted) return false;
    const folder = vscode.workspace.workspaceFolders?.[0]?.name ?? '';
    const approvals = await this.#approvals.get();
    return approvals.verdictOn({ kind: 'command', subject, folder }, chatId, false).type === 'allowed';
  }

  /** The terminal in use, unless a command runs in it or an extension writes it. */
  #terminal(): vscode.Terminal {
    const active = vscode.window.activeTerminal;
    const isFree =
      active !== undefined &&
      active.exitStatus === undefined &&
      !('pty' in active.creationOptions) &&
      !this.#busy.has(active);
    return isFree ? active : vscode.window.createTerminal();
  }
}

/** @throws {Error} if the person would not see all that is typed. */
function readable(code: string): string {
  const command = commandsIn(code);
  const hidden = hiddenCharacter(command);
  if (hidden === undefined) return command;
  throw new Error(l10n.t('The code contains {0}, which is invisible. Nothing was sent to the terminal.', hidden));
}
