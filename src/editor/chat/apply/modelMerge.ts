import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type MergedCode, mergedText, mergeRequest } from '../../../chat/apply/mergeRequest.ts';
import { asSample, formatEstimate } from '../../../display/money.ts';
import type { ChatRequest } from '../../../formats/conversation.ts';
import { maxCost } from '../../../limits/maxCost.ts';
import type { Model } from '../../../service/modelCatalog.ts';
import { smallModel } from '../../../service/smallModel.ts';
import { estimateInputTokens } from '../../../tokens/estimate.ts';
import { inputCost, outputCost } from '../../../tokens/price.ts';
import { estimateTokens } from '../../../tokens/textEstimate.ts';
import type { BaseServices } from '../../baseServices.ts';
import { askOnce, type PaidAnswer, type PaidCallServices } from '../paidCall.ts';

export type ModelMergeServices = PaidCallServices & Pick<BaseServices, 'limits'>;

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
      try {
        const { signal } = stop;
        const {
          text: reply,
          isCut,
          ...answer
        } = await askOnce(this.#services, { request, source: 'codeMerge', signal });
        const text = isCut ? undefined : mergedText(merged, reply);
        if (text === undefined) {
          throw new Error(l10n.t('{0} gave no edit that can be applied safely. Nothing was changed.', model.id));
        }
        return { text, answer };
      } catch (error) {
        if (stop.signal.aborted) return undefined;
        throw error;
      } finally {
        settle();
      }
    });
  }
}
