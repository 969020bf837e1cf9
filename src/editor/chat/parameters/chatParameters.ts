import type { Parameters } from '../../../chat/conversation/parameters.ts';
import { droppedParameters, type RequestSettings } from '../../../chat/request.ts';
import type { FormatName } from '../../../formats/conversation.ts';
import { defined } from '../../../formats/json.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { AgentView, InstructionsView, ParametersView, ParameterValues } from '../../../pages/chat/protocol.ts';
import type { ModelList } from '../../models/modelList.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Customizations } from '../customizations/customizations.ts';

/** The default until the user chooses a model. */
const DEFAULT_MODEL = 'familya-sonnet-4.6';

/** The parameters that apply to a conversation: its own, or else those of the settings. */
export class ChatParameters {
  readonly #settings: Settings;
  readonly #models: ModelList;
  readonly #customizations: Customizations;
  #formats: Readonly<Record<FormatName, WireFormat>> | undefined;

  constructor(settings: Settings, models: ModelList, customizations: Customizations) {
    this.#settings = settings;
    this.#models = models;
    this.#customizations = customizations;
  }

  /** The chosen model, even if it is not in the catalog, because the service decides; otherwise a default. */
  modelOf({ model = this.#settings.chatModel }: Parameters): string {
    if (model !== '') return model;
    return (this.#models.find(DEFAULT_MODEL) ?? this.#models.state.models[0])?.id ?? DEFAULT_MODEL;
  }

  formatOf({ format = this.#settings.chatFormat }: Parameters): FormatName {
    return format;
  }

  /** Everything that a request to this model needs except the conversation. */
  requestSettings(own: Parameters, model: string): RequestSettings {
    const values = { ...this.#defaults, ...valuesOf(own) };
    const { maxOutputTokens = Number.POSITIVE_INFINITY, images: readsImages } = this.#models.find(model) ?? {};
    const { systemPrompt = '', maxTokens = this.#settings.maxTokens, ...rest } = values;
    const instructions = own.instructions === false ? undefined : this.#customizations.sent?.text;
    return {
      ...rest,
      model,
      systemPrompt,
      maxTokens: Math.min(maxTokens, maxOutputTokens),
      asksForCodeForm: (own.mode ?? 'ask') === 'ask',
      ...defined({ instructions, readsImages }),
    };
  }

  /** The agents that the person can choose. */
  get agents(): readonly AgentView[] {
    return this.#customizations.files?.agents ?? [];
  }

  /** Loads the formats, which report the parameters that they do not support. Before that, views do not show this. */
  async loadFormats(): Promise<void> {
    this.#formats ??= (await import('../../../formats/index.ts')).wireFormats;
  }

  view(own: Parameters): ParametersView {
    const [values, defaults] = [valuesOf(own), this.#defaults];
    const format = this.#formats?.[this.formatOf(own)];
    const dropped = format && droppedParameters(format, { ...defaults, ...values });
    const presets = Object.keys(this.#settings.presets);
    return { own: values, defaults, presets, ...defined({ instructions: this.#instructionsView(own), dropped }) };
  }

  /** Returns undefined if the workspace has no instructions. */
  #instructionsView(own: Parameters): InstructionsView | undefined {
    const { sent } = this.#customizations;
    return sent && { label: sent.label, tokens: sent.tokens, isSent: own.instructions !== false };
  }

  get #defaults(): ParameterValues {
    const { systemPrompt, maxTokens, temperature, reasoningEffort } = this.#settings;
    return defined({ systemPrompt, maxTokens, temperature, reasoningEffort });
  }
}

function valuesOf({
  model: _,
  format: __,
  mode: ___,
  instructions: ____,
  agent: _____,
  ...values
}: Parameters): ParameterValues {
  return defined(values);
}
