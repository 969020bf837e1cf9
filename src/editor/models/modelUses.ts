import type * as vscode from 'vscode';
import type { Settings } from '../settings/settings.ts';

/** The uses of a model. `explain` covers all commands on code, which share one model. */
export const MODEL_USES = ['chat', 'explain', 'commitMessage'] as const;
export type ModelUse = (typeof MODEL_USES)[number];

/** The parameters of the chat shown. */
interface ShownParameters {
  readonly model: string;
  /** The default model of new conversations. */
  readonly defaultModel: string;
}

/** The default model for each use. */
export class ModelUses {
  readonly #settings: Settings;
  readonly #session: { readonly parameters: ShownParameters };

  constructor(settings: Settings, session: { readonly parameters: ShownParameters }) {
    this.#settings = settings;
    this.#session = session;
  }

  /**
   * Returns the model for this use. For the chat, this is the model of new conversations; for the others, the one
   * chosen for the use, or else that of the conversation shown. It may be missing from the catalog, because the service
   * decides.
   */
  modelFor(use: ModelUse): string {
    if (use === 'chat') return this.#session.parameters.defaultModel;
    return this.chosen(use) ?? this.#session.parameters.model;
  }

  /** Returns the model that the user has chosen for the use; `undefined` if there is none. */
  chosen(use: ModelUse): string | undefined {
    const model = use === 'chat' ? this.#settings.chatModel : this.#settings.modelForUse(use);
    return model === '' ? undefined : model;
  }

  /** Sets the model for a use. Undefined resets it. */
  async choose(use: ModelUse, model: string | undefined): Promise<void> {
    if (use === 'chat') await this.#settings.set('chat.model', model ?? '');
    else await this.#settings.set(`models.${use}`, model || undefined);
  }

  onDidChange(listener: () => void): vscode.Disposable {
    return this.#settings.onDidChange(['chat.model', 'models'], listener);
  }
}
