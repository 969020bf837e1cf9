import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { defined } from '../../formats/json.ts';
import type { BaseServices } from '../baseServices.ts';
import { jsonResult } from './jsonResult.ts';

export type KeyBalanceServices = Pick<BaseServices, 'balance' | 'connection'>;

/** Returns the key's balance to a model after the user has agreed. */
export class KeyBalanceTool implements vscode.LanguageModelTool<object> {
  readonly #services: KeyBalanceServices;

  constructor(services: KeyBalanceServices) {
    this.#services = services;
  }

  prepareInvocation(): vscode.PreparedToolInvocation {
    return {
      invocationMessage: l10n.t('Reading the key balance'),
      confirmationMessages: {
        title: l10n.t('Share the balance with the model?'),
        message: l10n.t('Your key’s remaining balance and the state of its package become part of the chat.'),
      },
    };
  }

  /** @throws if there is no connection, or the service does not answer. */
  async invoke(): Promise<vscode.LanguageModelToolResult> {
    const { connection, balance: monitor } = this.#services;
    if (!(await connection.isOpen()))
      throw new Error(l10n.t('Model Access has no service key. Set one or use the sandbox.'));
    await monitor.refresh();
    const { balance, problem, connection: kind } = monitor.state;
    if (balance === undefined) throw new Error(l10n.t('Could not read the balance. {0}', problem ?? '').trim());
    const { remaining, granted, currency, packageName, packageState } = balance;
    return jsonResult(
      defined({
        remaining,
        granted,
        currency,
        package: packageName,
        state: packageState,
        is_sandbox: kind === 'sandbox' ? true : undefined,
        problem,
      }),
    );
  }
}
