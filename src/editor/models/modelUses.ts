import type * as vscode from 'vscode';
import type { Settings } from '../settings/settings.ts';

/** What a model is used for. `explain` stands for all commands on code; they have one model. */
export const MODEL_USES = ['chat', 'explain', 'commitMessage'] as const;
export type ModelUse = (typeof MODEL_USES)[number];

/** Of the chat of this window. */
interface Chat {
  /** The model of the conversation that is shown. */
  readonly model: string;
  /** The model that new conversations begin with. */
  readonly defaultModel: string;
}

/** Which model serves which use by default. */
export class ModelUses {
  readonly #settings: Settings;
  readonly #chat: Chat;

  constructor(settings: Settings, chat: Chat) {
    this.#settings = settings;
    this.#chat = chat;
  }

  /**
   * The model to ask for this use: of the chat, the one that new conversations begin with; of the others, the one that
   * was chosen for them, else that of the conversation that is shown. The catalog may lack it: the service has the last
   * word.
   */
  modelFor(use: ModelUse): string {
    if (use === 'chat') return this.#chat.defaultModel;
    return this.chosen(use) ?? this.#chat.model;
  }

  /** The model that a person has chosen for the use; `undefined` when none was. */
  chosen(use: ModelUse): string | undefined {
    const model = use === 'chat' ? this.#settings.chatModel : this.#settings.modelForUse(use);
    return model === '' ? undefined : model;
  }

  /** Without a model the choice is taken back. */
  async choose(use: ModelUse, model: string | undefined): Promise<void> {
    if (use === 'chat') await this.#settings.setChatModel(model ?? '');
    else await this.#settings.setModelForUse(use, model ?? '');
  }

  onDidChange(listener: () => void): vscode.Disposable {
    return this.#settings.onDidChange(['chat.model', 'models'], listener);
  }
}
