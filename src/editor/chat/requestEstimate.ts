import * as vscode from 'vscode';
import type { BalanceMonitor } from '../balance/balanceMonitor.ts';
import type { ModelList } from '../models/modelList.ts';
import type { Settings } from '../settings/settings.ts';
import type { Composition } from './composition.ts';
import type { ConversationImages } from './conversation/conversationImages.ts';
import type { LiveConversation } from './conversation/liveConversation.ts';
import type { Estimator } from './estimator.ts';
import type { ConversationParameters } from './parameters/conversationParameters.ts';

export interface RequestEstimateServices {
  readonly estimator: Estimator;
  readonly models: ModelList;
  readonly balance: BalanceMonitor;
  readonly settings: Settings;
}

/** What the next request is made of. */
export interface NextRequest {
  readonly conversation: LiveConversation;
  readonly composition: Composition;
  readonly parameters: ConversationParameters;
  readonly images: ConversationImages;
}

/** Keeps the estimate of the next request with what it is made of, and with the prices and the balance. */
export class RequestEstimate implements vscode.Disposable {
  readonly #services: RequestEstimateServices;
  readonly #next: NextRequest;
  readonly #subscriptions: vscode.Disposable[];

  constructor(services: RequestEstimateServices, next: NextRequest) {
    const { models, balance, settings } = services;
    this.#services = services;
    this.#next = next;
    this.#subscriptions = [
      models.onDidChange(() => this.update()),
      balance.onDidChange(() => this.update()),
      settings.onDidChange(['chat'], () => this.update()),
    ];
  }

  /** Something that the request is made of has changed. */
  update(): void {
    const { estimator, models, balance } = this.#services;
    const { conversation, composition, parameters, images } = this.#next;
    estimator.update({
      entries: conversation.value.entries,
      draft: composition.draft,
      attachments: composition.attachments,
      images: images.lookup,
      settings: parameters.requestSettings,
      model: models.find(parameters.model),
      balance: balance.state.balance?.remaining,
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}
