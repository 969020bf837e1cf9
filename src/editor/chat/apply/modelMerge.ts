import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { CallUsage } from '../../../calls/callUsage.ts';
import { type MergedCode, mergedText, mergeRequest } from '../../../chat/apply/mergeRequest.ts';
import { asSample, formatEstimate } from '../../../display/money.ts';
import type { ChatRequest } from '../../../formats/conversation.ts';
import { defined } from '../../../formats/json.ts';
import { maxCost } from '../../../limits/maxCost.ts';
import type { Model } from '../../../service/modelCatalog.ts';
import { ServiceError } from '../../../service/serviceError.ts';
import { smallModel } from '../../../service/smallModel.ts';
import { estimateInputTokens } from '../../../tokens/estimate.ts';
import { inputCost, outputCost, priceOf } from '../../../tokens/price.ts';
import { estimateTokens } from '../../../tokens/textEstimate.ts';
import type { BalanceMonitor } from '../../balance/balanceMonitor.ts';
import type { CallRecorder } from '../../calls/callRecorder.ts';
import type { ConnectionManager } from '../../connection/connectionManager.ts';
import type { LimitMonitor } from '../../limits/limitMonitor.ts';
import type { ModelList } from '../../models/modelList.ts';
import type { Settings } from '../../settings/settings.ts';
import type { PaidAnswer } from './proposalReview.ts';

export interface ModelMergeServices {
  readonly calls: CallRecorder;
  readonly connection: ConnectionManager;
  readonly models: ModelList;
  readonly balance: BalanceMonitor;
  readonly limits: LimitMonitor;
  readonly settings: Settings;
}

/** A merge that the user can choose. */
export interface MergeOffer {
  /** Names the model and its approximate price. */
  readonly label: string;
  readonly request: ChatRequest;
  readonly model: Model;
  readonly merged: MergedCode;
}

export interface ModelMerged {
  readonly text: string;
  readonly answer: PaidAnswer;
}

/** Tokens of an edit beside those of the code. */
const SPARE_TOKENS = 300;
/** For models that may reason first, and for lines that are searched. */
const MARGIN = 3;

/** Merges code into a file with a cheap model, where the place is not certain. Only if the user chooses it. */
export class ModelMerge {
  readonly #services: ModelMergeServices;

  constructor(services: ModelMergeServices) {
    this.#services = services;
  }

  /** Returns undefined without a connection, or if no model with a known price has room for the file. */
  offer(merged: MergedCode, main: string): MergeOffer | undefined {
    const { models, connection } = this.#services;
    if (connection.open === undefined) return undefined;
    const expected = estimateTokens(merged.code) + SPARE_TOKENS;
    const size = estimateTokens(merged.text + merged.code) + SPARE_TOKENS + expected * MARGIN;
    const id = smallModel(models.state.models, main, size) ?? main;
    const model = models.find(id);
    const request = mergeRequest(merged, id, expected * MARGIN);
    const tokens = estimateInputTokens(request);
    const [costIn, costOut] = [model && inputCost(tokens, model), model && outputCost(expected, model, tokens)];
    if (model === undefined || costIn === undefined || costOut === undefined) return undefined;
    if (tokens + expected * MARGIN > (model.contextWindow ?? 0)) return undefined;
    const price = formatEstimate(costIn + costOut);
    const label = l10n.t('Merge with {0} ({1})', id, connection.open.kind === 'sandbox' ? asSample(price) : price);
    return { label, request, model, merged };
  }

  /**
   * Returns undefined if the user stopped it.
   * @throws if the model's edits cannot be applied without changing something else. They are paid nevertheless.
   */
  run({ request, model, merged }: MergeOffer): Thenable<ModelMerged | undefined> {
    const title = l10n.t('Merging with {0}', model.id);
    const location = vscode.ProgressLocation.Notification;
    return vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      const settle = await this.#services.limits.admit(async () => maxCost(request, model));
      const usage = CallUsage.of(request);
      const id = randomUUID();
      try {
        const reply = await this.#ask(id, request, usage, stop.signal);
        const text = mergedText(merged, reply);
        if (text === undefined) {
          throw new Error(l10n.t('{0} gave no edit that can be applied safely. Nothing was changed.', model.id));
        }
        const cost = usage.count && priceOf(usage.count.usage, model);
        const isSample = this.#services.connection.open?.kind === 'sandbox' || undefined;
        return { text, answer: { id, ...defined({ cost, isSample }) } };
      } catch (error) {
        if (stop.signal.aborted) return undefined;
        throw error;
      } finally {
        settle();
        void this.#services.balance.refreshAfterCharge();
      }
    });
  }

  async #ask(id: string, request: ChatRequest, usage: CallUsage, signal: AbortSignal): Promise<string> {
    const { calls, connection, settings } = this.#services;
    const { open } = connection;
    if (open === undefined) throw new Error(l10n.t('Model Access has no service key. Set one or use the sandbox.'));
    const call = { id, connection: open, format: settings.chatFormat, request, usage, source: 'codeMerge' } as const;
    let text = '';
    for await (const event of calls.chat({ ...call, options: { signal } })) {
      if (event.type === 'error') throw new ServiceError(event.error);
      if (event.type === 'finish' && event.reason === 'length') throw new Error(l10n.t('The answer is too long.'));
      if (event.type === 'textDelta') text += event.text;
    }
    return text;
  }
}
