import * as vscode from 'vscode';
import type { Entry } from '../../chat/conversation/entry.ts';
import type { Attachment } from '../../chat/conversation/record.ts';
import { median } from '../../chat/median.ts';
import { buildRequest, describeAttachment, type ImageLookup, type RequestSettings } from '../../chat/request.ts';
import { balanceAfter } from '../../display/money.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { defined } from '../../formats/json.ts';
import type { AnswerFigures, EstimateView, RunForecast } from '../../pages/chat/protocol.ts';
import type { Model } from '../../service/modelCatalog.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import { inputCost, outputCost } from '../../tokens/price.ts';
import type { Log } from '../log/log.ts';
import type { DividedTokens, ServiceTokenCounter } from '../tokens/serviceTokenCounter.ts';

/** Time without a change before the service is asked to count, in milliseconds. */
const QUIET_MS = 350;

/** The number of answers remembered for each model, and the number that a forecast needs. */
const REMEMBERED_ANSWERS = 5;
const ANSWERS_FOR_FORECAST = 2;

/** The output tokens of a step of the agent, until there are enough answers. */
export const DEFAULT_STEP_TOKENS = 500;

const STATE_KEY = 'modelAccess.answerLengths';

/** Everything that determines the size and cost of the next request. */
export interface EstimateInput {
  readonly entries: readonly Entry[];
  readonly draft: string;
  readonly attachments: readonly Attachment[];
  readonly settings: RequestSettings;
  readonly model: Model | undefined;
  readonly images: ImageLookup;
  /** Adds the parts that only the agent's requests have. */
  readonly equip?: ((request: ChatRequest) => ChatRequest) | undefined;
  /** In US dollars. */
  readonly balance: number | undefined;
  /** Set if the request is the first step of a run. */
  readonly run?: NextRun | undefined;
}

export interface NextRun extends Pick<RunForecast, 'cap'> {
  /** What runs like it have cost, by the input tokens of the first step. */
  readonly typical: (inputTokens: number) => number | undefined;
}

/** Estimates the request in the composer as it changes: first locally, then with the service's count. */
export class Estimator implements vscode.Disposable {
  readonly #counter: ServiceTokenCounter;
  readonly #memory: vscode.Memento;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<EstimateView>();
  #timer: NodeJS.Timeout | undefined;
  #counting: AbortController | undefined;
  #current: EstimateView = { state: 'none' };
  /** The model that the estimate is for. */
  #model: string | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(counter: ServiceTokenCounter, memory: vscode.Memento, log: Log) {
    this.#counter = counter;
    this.#memory = memory;
    this.#log = log;
  }

  get current(): EstimateView {
    return this.#current;
  }

  /**
   * Returns the expected cost of a request in US dollars, or only its input's cost if no answer can be forecast. It is
   * estimated locally unless the service has counted it.
   */
  costOf(input: EstimateInput): number | undefined {
    const request = requestToSend(input);
    if (request === undefined) return undefined;
    const { expectedCost, inputCost: costIn } = this.#view(input, this.#counter.estimate(request), 'known');
    return expectedCost ?? costIn;
  }

  /** Shows an estimate immediately, and requests the exact count after a short time without changes. */
  update(input: EstimateInput): void {
    this.cancel();
    this.#model = input.settings.model;
    const request = requestToSend(input);
    if (request === undefined) {
      this.#set({ state: 'none' });
      return;
    }
    const first = this.#counter.estimate(request);
    this.#set(this.#view(input, first, first.estimated ? 'counting' : 'known'));
    if (first.estimated) this.#timer = setTimeout(() => this.#count(input, request), QUIET_MS);
  }

  /** The current forecast. Its cost is included only for the model that it was computed for. */
  forecastFor(modelId: string): AnswerFigures['forecast'] {
    const { inputTokens, expectedCost } = this.#current;
    if (inputTokens === undefined) return undefined;
    return { inputTokens, ...(modelId === this.#model && expectedCost !== undefined && { cost: expectedCost }) };
  }

  inputTokensOf(request: ChatRequest): number {
    return this.sizeOf(request).tokens;
  }

  /** The tokens of a request with its parts: the service's count if this request was counted, or else an estimate. */
  sizeOf(request: ChatRequest): DividedTokens {
    return this.#counter.estimate(request);
  }

  /** Remembers the length of an answer, for forecasts for this model. */
  async learn(modelId: string, outputTokens: number): Promise<void> {
    const lengths = this.#lengths();
    const latest = [...(lengths[modelId] ?? []), outputTokens].slice(-REMEMBERED_ANSWERS);
    await this.#memory.update(STATE_KEY, { ...lengths, [modelId]: latest });
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#counting?.abort();
  }

  dispose(): void {
    this.cancel();
    this.#changed.dispose();
  }

  async #count(input: EstimateInput, request: ChatRequest): Promise<void> {
    const counting = new AbortController();
    this.#counting = counting;
    try {
      const counted = await this.#counter.count(request, counting.signal);
      if (!counting.signal.aborted) this.#set(this.#view(input, counted, 'known'));
    } catch (error) {
      if (!counting.signal.aborted) this.#log.warn('The request could not be counted', error);
    }
  }

  #view(input: EstimateInput, { tokens, estimated, parts }: DividedTokens, state: EstimateView['state']): EstimateView {
    const { model, balance, settings, run } = input;
    const expected = this.#expectedOutput(settings.model, settings.maxTokens) ?? (run && DEFAULT_STEP_TOKENS);
    const costIn = model && inputCost(tokens, model);
    const expectedCost = plus(
      costIn,
      expected === undefined ? undefined : model && outputCost(expected, model, tokens),
    );
    const maxCost = plus(costIn, model && outputCost(settings.maxTokens, model, tokens));
    const charged = expectedCost ?? costIn;
    return {
      state,
      inputTokens: tokens,
      estimated,
      parts,
      ...shares(input, tokens),
      maxOutputTokens: settings.maxTokens,
      ...defined({ expectedOutputTokens: expected, inputCost: costIn, expectedCost, maxCost }),
      ...(run !== undefined && { run: runForecast(run, tokens, expectedCost) }),
      ...(charged !== undefined && balance !== undefined && { balanceAfter: balanceAfter(balance, charged) }),
    };
  }

  /** The median length of the last answers, once there are enough of them. */
  #expectedOutput(modelId: string, maxTokens: number): number | undefined {
    const lengths = this.#lengths()[modelId] ?? [];
    const usual = lengths.length < ANSWERS_FOR_FORECAST ? undefined : median(lengths);
    return usual === undefined ? undefined : Math.min(usual, maxTokens);
  }

  #lengths(): Readonly<Record<string, readonly number[]>> {
    return this.#memory.get(STATE_KEY, {});
  }

  #set(view: EstimateView): void {
    this.#current = view;
    this.#changed.fire(view);
  }
}

/** A run costs at least as much as its first step. */
function runForecast({ cap, typical }: NextRun, inputTokens: number, firstStep = 0): RunForecast {
  const cost = typical(inputTokens);
  return { cap, ...(cost !== undefined && { typical: Math.max(cost, firstStep) }) };
}

/** Returns undefined if there is nothing to send. */
function requestToSend({
  entries,
  draft,
  attachments,
  settings,
  images,
  equip,
}: EstimateInput): ChatRequest | undefined {
  const hasDraft = draft.trim() !== '' || attachments.length > 0;
  if (entries.length === 0 && !hasDraft) return undefined;
  const question: Entry = { role: 'user', id: 'draft', text: draft.trim(), attachments };
  const request = buildRequest(hasDraft ? [...entries, question] : entries, settings, images);
  return equip?.(request) ?? request;
}

/** Divides the total in proportion to the local estimates of its parts. */
function shares({ entries, draft, attachments, settings }: EstimateInput, total: number) {
  const history = entries.reduce((sum, entry) => sum + estimateEntry(entry), 0);
  const attached = estimateAttachments(attachments);
  const message = estimateTokens(draft) + estimateTokens(settings.instructions ?? '');
  const scale = total / Math.max(1, history + attached + message);
  const historyTokens = Math.min(total, Math.round(history * scale));
  const attachmentTokens = Math.min(total - historyTokens, Math.round(attached * scale));
  return { historyTokens, attachmentTokens, messageTokens: total - historyTokens - attachmentTokens };
}

function estimateEntry(entry: Entry): number {
  const own = estimateTokens(entry.text);
  return entry.role === 'user' ? own + estimateAttachments(entry.attachments) : own;
}

function estimateAttachments(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, one) => sum + (one.tokens ?? estimateTokens(describeAttachment(one))), 0);
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
