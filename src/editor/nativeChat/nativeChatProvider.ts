import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatWindow } from '../../display/tokens.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import type { Model } from '../../service/modelCatalog.ts';
import type { BaseServices } from '../baseServices.ts';
import { chooseConnection } from '../connection/connectionCommands.ts';
import type { ModelUses } from '../models/modelUses.ts';
import type { ServiceTokenCounter } from '../tokens/serviceTokenCounter.ts';
import { extraInformation, hasNoOtherModels, pricesText, VENDOR } from './nativeExtras.ts';
import { PromptTokens } from './promptTokens.ts';

export interface NativeChatServices
  extends Pick<BaseServices, 'balance' | 'calls' | 'connection' | 'limits' | 'log' | 'models' | 'settings'> {
  readonly modelUses: ModelUses;
  readonly counter: ServiceTokenCounter;
  /** What is remembered across restarts. */
  readonly memory: vscode.Memento;
}

/**
 * The default token limit of an answer: enough for a long edit, and low enough that a service does not refuse it at a
 * small balance.
 */
const MAX_ANSWER_LENGTH = 32_000;

/**
 * Provides the catalog's models to the editor's own chat and agent mode. The code that answers is loaded on first use.
 */
export class NativeChatProvider implements vscode.LanguageModelChatProvider, vscode.Disposable {
  readonly #services: NativeChatServices;
  readonly #tokens: PromptTokens;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];

  readonly onDidChangeLanguageModelChatInformation = this.#changed.event;

  constructor(services: NativeChatServices) {
    this.#services = services;
    this.#tokens = new PromptTokens(services.counter);
    this.#subscriptions = [
      services.models.onDidChange(() => this.#changed.fire()),
      services.settings.onDidChange(['chat.model'], () => this.#changed.fire()),
      vscode.lm.registerLanguageModelChatProvider(VENDOR, this),
    ];
  }

  /** Returns the last known list while the service cannot be reached. */
  async provideLanguageModelChatInformation({
    silent,
  }: vscode.PrepareLanguageModelChatModelOptions): Promise<vscode.LanguageModelChatInformation[]> {
    const { connection, models, modelUses, settings } = this.#services;
    if (!(await connection.isOpen()) && !silent) await chooseConnection();
    const { open } = connection;
    if (open === undefined) return [];
    const name = open.kind === 'sandbox' ? l10n.t('Model Access (sandbox)') : 'Model Access';
    const begins = settings.chatModel !== '' || (await hasNoOtherModels());
    const first = begins ? modelUses.modelFor('chat') : undefined;
    return models.state.models.map((model) => chatInformation(model, name, first));
  }

  async provideLanguageModelChatResponse(
    { id, maxOutputTokens }: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const { calls, connection, settings, balance, limits } = this.#services;
    const { open } = connection;
    if (open === undefined) throw new Error(l10n.t('Model Access has no service key. Set one or use the sandbox.'));
    const [{ AnswerParts }, { asChatRequest }] = await Promise.all([
      import('./answerParts.ts'),
      import('./chatRequest.ts'),
    ]);
    const request = asChatRequest(id, messages, options, Math.min(maxOutputTokens, MAX_ANSWER_LENGTH));
    const settle = await limits.admit(() => this.#maxCost(request));
    const left = new AbortController();
    const subscription = token.onCancellationRequested(() => left.abort());
    const answer = new AnswerParts(id, progress);
    try {
      const call = { connection: open, format: settings.chatFormat, request, source: 'nativeChat' } as const;
      for await (const event of calls.chat({ ...call, options: { signal: left.signal } })) answer.push(event);
      answer.end();
      this.#explainUtilityModel().catch((error) =>
        this.#services.log.warn('The utility model was not explained', error),
      );
    } catch (error) {
      if (!left.signal.aborted) throw error;
    } finally {
      subscription.dispose();
      settle();
      balance.refreshAfterCharge();
    }
  }

  async provideTokenCount(
    { id }: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
    token: vscode.CancellationToken,
  ): Promise<number> {
    const messages = typeof text === 'string' ? [vscode.LanguageModelChatMessage.User(text)] : [text];
    const { asPrompt } = await import('./chatRequest.ts');
    return this.#tokens.count(asPrompt(id, messages.map(withName)), token);
  }

  async #explainUtilityModel(): Promise<void> {
    const { explainUtilityModel } = await import('./chooseUtilityModel.ts');
    await explainUtilityModel(this.#services.memory);
  }

  async #maxCost(request: ChatRequest): Promise<number> {
    const { maxCost } = await import('../../limits/maxCost.ts');
    return maxCost(request, this.#services.models.find(request.model) ?? {});
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }
}

function withName(
  message: vscode.LanguageModelChatMessage | vscode.LanguageModelChatRequestMessage,
): vscode.LanguageModelChatRequestMessage {
  return { role: message.role, content: message.content, name: message.name };
}

/** Defaults for models whose limits are not in the catalog: sizes that all recent models support. In tokens. */
const DEFAULT_WINDOW = 128_000;
const DEFAULT_OUTPUT = 16_000;

/**
 * A model of the catalog as the editor's model picker shows it. Its ID is the service's, so it stays the same.
 * @param first the ID of the model that the editor's chat begins with.
 */
function chatInformation(
  model: Model,
  serviceName: string,
  first: string | undefined,
): vscode.LanguageModelChatInformation {
  const { id, displayName, contextWindow = DEFAULT_WINDOW, tools = true, images = false } = model;
  const maxOutputTokens = Math.min(model.maxOutputTokens ?? DEFAULT_OUTPUT, Math.floor(contextWindow / 2));
  return {
    id,
    name: displayName ?? id,
    family: model.family ?? id,
    version: id,
    maxInputTokens: contextWindow - maxOutputTokens,
    maxOutputTokens,
    detail: serviceName,
    tooltip: describe(model),
    capabilities: { toolCalling: tools, imageInput: images },
    ...extraInformation(model, id === first),
  };
}

function describe({ id, contextWindow, inputPrice, outputPrice }: Model): string {
  const window = contextWindow === undefined ? [] : [l10n.t('{0} context', formatWindow(contextWindow))];
  const price = inputPrice === undefined || outputPrice === undefined ? [] : [pricesText(inputPrice, outputPrice)];
  return [id, ...window, ...price].join(' · ');
}
