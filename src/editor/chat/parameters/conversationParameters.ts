import type { LiveConversation } from '../../../chat/conversation/liveConversation.ts';
import type { Parameters } from '../../../chat/conversation/parameters.ts';
import type { RequestSettings } from '../../../chat/request.ts';
import type { FormatName } from '../../../formats/conversation.ts';
import { defined } from '../../../formats/json.ts';
import type { ChatMode, ChatState } from '../../../pages/chat/protocol.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ChatParameters } from './chatParameters.ts';

export interface ConversationParametersSources {
  readonly chat: ChatParameters;
  readonly settings: Settings;
  readonly conversation: LiveConversation;
  readonly onDidChange: () => void;
}

/** The model, format, and parameters of a conversation, and the methods that change them. */
export class ConversationParameters {
  readonly #chat: ChatParameters;
  readonly #settings: Settings;
  readonly #conversation: LiveConversation;
  readonly #onDidChange: () => void;

  constructor({ chat, settings, conversation, onDidChange }: ConversationParametersSources) {
    this.#chat = chat;
    this.#settings = settings;
    this.#conversation = conversation;
    this.#onDidChange = onDidChange;
  }

  /** The parameters set for this conversation. The others come from the settings. */
  get own(): Parameters {
    return this.#conversation.value.parameters;
  }

  get model(): string {
    return this.#chat.modelOf(this.own);
  }

  get format(): FormatName {
    return this.#chat.formatOf(this.own);
  }

  /** The default model of new conversations. */
  get defaultModel(): string {
    return this.#chat.modelOf({});
  }

  /** The parameters set for this conversation, with its current model and format even if these are defaults. */
  get withModel(): Parameters {
    return { ...this.own, model: this.model, format: this.format };
  }

  get requestSettings(): RequestSettings {
    return this.requestSettingsFor(this.model);
  }

  requestSettingsFor(model: string): RequestSettings {
    return this.#chat.requestSettings(this.own, model);
  }

  get mode(): ChatMode {
    return this.own.mode ?? 'ask';
  }

  /** Whether the model acts instead of only answering. */
  get acts(): boolean {
    return this.mode !== 'ask';
  }

  get view(): Pick<ChatState, 'model' | 'format' | 'mode' | 'agent' | 'agents' | 'parameters'> {
    const { model, format } = this;
    const mode = this.mode === 'agent' && this.#settings.agentReviewsFirst ? 'reviewingAgent' : this.mode;
    const agent = this.acts ? this.own.agent : undefined;
    return { model, format, mode, agent, agents: this.#chat.agents, parameters: this.#chat.view(this.own) };
  }

  /** Replaces all parameters. Those that are undefined follow the settings. */
  decide(parameters: Parameters): void {
    this.#conversation.record({ type: 'parameters', parameters });
    this.#onDidChange();
  }

  /**
   * Applies to this conversation immediately. If chosen before its first question, it also becomes the default of new
   * ones.
   */
  async chooseModel(model: string): Promise<void> {
    this.decide({ ...this.own, model });
    if (this.#conversation.value.isEmpty) await this.#settings.set('chat.model', model);
  }

  /**
   * Applies to this conversation immediately. If chosen before its first question, it also becomes the default of new
   * ones.
   */
  async chooseFormat(format: FormatName): Promise<void> {
    this.decide({ ...this.own, format });
    if (this.#conversation.value.isEmpty) await this.#settings.set('chat.format', format);
  }

  /**
   * @param agent the name of the agent that acts, if it has a file.
   * @param model the model that its file names.
   */
  chooseMode(mode: ChatMode, agent?: string, model?: string): void {
    const { agent: _, ...others } = this.own;
    this.decide({ ...others, mode, ...defined({ agent, model }) });
  }

  /** Makes the conversation keep its current model and format, even if the defaults change. */
  keepModel(): void {
    const { own, model, format } = this;
    if (own.model !== model || own.format !== format) this.decide(this.withModel);
  }
}
