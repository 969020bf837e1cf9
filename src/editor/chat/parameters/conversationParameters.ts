import type { FormatName } from '../../../formats/conversation.ts';
import type { Settings } from '../../settings/settings.ts';
import type { LiveConversation } from '../conversation/liveConversation.ts';
import type { ChatState } from '../protocol.ts';
import type { RequestSettings } from '../request.ts';
import type { ChatParameters } from './chatParameters.ts';
import type { Parameters } from './parameters.ts';

export interface ConversationParametersSources {
  readonly chat: ChatParameters;
  readonly settings: Settings;
  /** The conversation that shows now. */
  readonly conversation: () => LiveConversation;
  readonly onDidChange: () => void;
}

/** Model, format and parameters of the conversation that shows, and what decides them. */
export class ConversationParameters {
  readonly #chat: ChatParameters;
  readonly #settings: Settings;
  readonly #conversation: () => LiveConversation;
  readonly #onDidChange: () => void;

  constructor({ chat, settings, conversation, onDidChange }: ConversationParametersSources) {
    this.#chat = chat;
    this.#settings = settings;
    this.#conversation = conversation;
    this.#onDidChange = onDidChange;
  }

  /** What was decided for this conversation. The settings say the rest. */
  get own(): Parameters {
    return this.#conversation().value.parameters;
  }

  get model(): string {
    return this.#chat.modelOf(this.own);
  }

  get format(): FormatName {
    return this.#chat.formatOf(this.own);
  }

  /** The model that new conversations begin with. */
  get defaultModel(): string {
    return this.#chat.modelOf({});
  }

  /** What was decided, with the model and the format that hold now, decided or not. */
  get withModel(): Parameters {
    return { ...this.own, model: this.model, format: this.format };
  }

  get requestSettings(): RequestSettings {
    return this.requestSettingsFor(this.model);
  }

  requestSettingsFor(model: string): RequestSettings {
    return this.#chat.requestSettings(this.own, model);
  }

  get view(): Pick<ChatState, 'model' | 'format' | 'parameters'> {
    return { model: this.model, format: this.format, parameters: this.#chat.view(this.own) };
  }

  /** Decides all parameters; what is absent follows the settings. */
  decide(parameters: Parameters): void {
    this.#conversation().record({ type: 'parameters', parameters });
    this.#onDidChange();
  }

  /** Holds at once for this conversation. Chosen before its first question, it is the default of new ones too. */
  async chooseModel(model: string): Promise<void> {
    this.decide({ ...this.own, model });
    if (this.#conversation().value.isEmpty) await this.#settings.setChatModel(model);
  }

  /** Holds at once for this conversation. Chosen before its first question, it is the default of new ones too. */
  async chooseFormat(format: FormatName): Promise<void> {
    this.decide({ ...this.own, format });
    if (this.#conversation().value.isEmpty) await this.#settings.setChatFormat(format);
  }

  /** A conversation keeps the model and the format that it began with, whatever is chosen elsewhere. */
  keepModel(): void {
    const { own, model, format } = this;
    if (own.model !== model || own.format !== format) this.decide(this.withModel);
  }
}
