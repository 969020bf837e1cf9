import * as vscode from 'vscode';
import type { CountTokensServices } from './countTokensTool.ts';
import type { KeyBalanceServices } from './keyBalanceTool.ts';

/** Registers the tools that models in the editor's chat may call. Their code is loaded with the first call. */
export class ModelTools implements vscode.Disposable {
  readonly #registrations: readonly vscode.Disposable[];

  constructor(services: CountTokensServices & KeyBalanceServices) {
    this.#registrations = [
      vscode.lm.registerTool(
        'count_tokens',
        late(async () => {
          const { CountTokensTool } = await import('./countTokensTool.ts');
          return new CountTokensTool(services);
        }),
      ),
      vscode.lm.registerTool(
        'key_balance',
        late(async () => {
          const { KeyBalanceTool } = await import('./keyBalanceTool.ts');
          return new KeyBalanceTool(services);
        }),
      ),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.#registrations).dispose();
  }
}

type WholeTool<Input> = Required<vscode.LanguageModelTool<Input>>;

function late<Input>(load: () => Promise<WholeTool<Input>>): WholeTool<Input> {
  return {
    prepareInvocation: async (options, token) => (await load()).prepareInvocation(options, token),
    invoke: async (options, token) => (await load()).invoke(options, token),
  };
}
