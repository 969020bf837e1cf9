import type * as vscode from 'vscode';
import type { ChatRequest } from '../../formats/conversation.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import { inputCost } from '../../tokens/price.ts';
import type { ModelList } from '../models/modelList.ts';
import type { ServiceTokenCounter } from './serviceTokenCounter.ts';

export interface SelectionTokens {
  readonly tokens: number;
  readonly estimated: boolean;
  /** The model that the tokens were counted for. */
  readonly model: string;
  /** The cost as this model's input in US dollars, if its price is known. */
  readonly cost?: number;
}

/** Counts the text of an editor's selection, or of its document, for the model in use. */
export class SelectionCounter {
  readonly #counter: ServiceTokenCounter;
  readonly #models: ModelList;
  readonly #modelInUse: () => string;

  constructor(counter: ServiceTokenCounter, models: ModelList, modelInUse: () => string) {
    this.#counter = counter;
    this.#models = models;
    this.#modelInUse = modelInUse;
  }

  /** Returns the local estimate. */
  estimate(editor: vscode.TextEditor): SelectionTokens {
    return this.#priced(estimateTokens(textOf(editor)), true);
  }

  /**
   * Returns the service's count, or else the estimate.
   * @throws if the signal is aborted.
   */
  async count(editor: vscode.TextEditor, signal: AbortSignal): Promise<SelectionTokens> {
    const { tokens, estimated } = await this.#counter.count(this.#request(textOf(editor)), signal);
    return this.#priced(tokens, estimated);
  }

  #request(text: string): ChatRequest {
    const parts = [{ type: 'text' as const, text }];
    return { model: this.#modelInUse(), system: [], messages: [{ role: 'user', parts }] };
  }

  #priced(tokens: number, estimated: boolean): SelectionTokens {
    const modelId = this.#modelInUse();
    const model = this.#models.find(modelId);
    const cost = model && inputCost(tokens, model);
    return { tokens, estimated, model: modelId, ...(cost !== undefined && { cost }) };
  }
}

function textOf({ document, selection }: vscode.TextEditor): string {
  return selection.isEmpty ? document.getText() : document.getText(selection);
}
