import * as vscode from 'vscode';
import type { BalanceMonitor } from '../balance/balanceMonitor.ts';
import type { ModelList } from '../models/modelList.ts';
import type { Settings } from '../settings/settings.ts';
import type { ConversationImages } from './conversation/conversationImages.ts';
import type { EstimateInput, Estimator } from './estimator.ts';
import type { WorkspaceInstructions } from './instructions/workspaceInstructions.ts';
import type { ConversationParameters } from './parameters/conversationParameters.ts';

export interface RequestEstimateServices {
  readonly estimator: Estimator;
  readonly models: ModelList;
  readonly balance: BalanceMonitor;
  readonly settings: Settings;
  readonly instructions: WorkspaceInstructions;
}

/** The contents of the request. */
export interface NextRequest {
  /** The conversation's entries, the draft, and the attachments. */
  readonly parts: () => Pick<EstimateInput, 'entries' | 'draft' | 'attachments'>;
  /** The model that would answer. */
  readonly model: () => string;
  readonly parameters: ConversationParameters;
  readonly images: ConversationImages;
}

/** Updates the estimate of a request that may be sent next when its contents, the prices, or the balance change. */
export class RequestEstimate implements vscode.Disposable {
  readonly #services: RequestEstimateServices;
  readonly #next: NextRequest;
  readonly #subscriptions: vscode.Disposable[];

  constructor(services: RequestEstimateServices, next: NextRequest) {
    const { models, balance, settings, instructions } = services;
    this.#services = services;
    this.#next = next;
    this.#subscriptions = [
      models.onDidChange(() => this.update()),
      balance.onDidChange(() => this.update()),
      instructions.onDidChange(() => this.update()),
      settings.onDidChange(['chat'], () => this.update()),
    ];
  }

  /** Called when the request's contents have changed. */
  update(): void {
    const { estimator, models, balance } = this.#services;
    const { parts, parameters, images } = this.#next;
    const model = this.#next.model();
    estimator.update({
      ...parts(),
      images: images.lookup,
      settings: parameters.requestSettingsFor(model),
      model: models.find(model),
      balance: balance.state.balance?.remaining,
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}
