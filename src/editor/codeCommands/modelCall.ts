import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../chat/conversation/record.ts';
import { buildRequest } from '../../chat/request.ts';
import { asSample, formatEstimate, formatMoney } from '../../display/money.ts';
import { approximately, formatTokens } from '../../display/tokens.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { inputCost, outputCost } from '../../tokens/price.ts';
import type { BaseServices } from '../baseServices.ts';
import { askOnce, type PaidCallServices, type PaidText } from '../chat/paidCall.ts';
import type { ModelUse, ModelUses } from '../models/modelUses.ts';
import type { Settings } from '../settings/settings.ts';
import type { ServiceTokenCounter } from '../tokens/serviceTokenCounter.ts';

export interface ModelCallServices extends PaidCallServices, Pick<BaseServices, 'limits'> {
  readonly modelUses: ModelUses;
  readonly counter: ServiceTokenCounter;
}

/** A request of a command to a model outside the chat. */
export interface CodeQuestion {
  readonly use: ModelUse;
  readonly prompt: string;
  readonly attachments: readonly Attachment[];
  /** The approximate number of tokens in the answer. */
  readonly expectedTokens: number;
  /** The title of the progress, such as “Documenting quote.ts:3–20”. */
  readonly title: string;
}

/** If the price is unknown, the user is asked from this number of tokens. */
const MANY_TOKENS = 20_000;
/** From this cost on, in US dollars, the price is shown while the answer is written, also where there is no room for it. */
const SHOWN_COST = 0.01;
/** How long the cost of an answer is shown, in milliseconds. */
const COST_MS = 8000;
/** The answer may have this many times the expected tokens, plus the spare tokens. */
const MARGIN = 3;
const SPARE_TOKENS = 2000;

interface CallForecast {
  readonly model: string;
  readonly tokens: number;
  readonly cost: number | undefined;
  /** Whether the cost is the sandbox's sample money. */
  readonly isSample: boolean;
}

/**
 * Sends the request and shows its tokens and price, and its cost afterwards. Asks first if they are high.
 * @param progress Where the progress is shown. Source Control has no room for a price.
 * @param onText Receives the whole answer so far, whenever more of it has arrived.
 * @returns undefined if the user declined or stopped it.
 * @throws {ServiceError} for a failure at any time, and if the answer ended at its limit.
 */
export async function askModel(
  services: ModelCallServices,
  question: CodeQuestion,
  progress: vscode.ProgressLocation,
  onText: (text: string) => void = () => undefined,
  stopped?: AbortSignal,
): Promise<PaidText | undefined> {
  const request = requestOf(services, question);
  const forecast = forecastOf(services, request, question.expectedTokens);
  if (!(await isWanted(services.settings, forecast))) return undefined;
  const release = await services.limits.reserve(forecast.cost);
  if (release === undefined) return undefined;
  const title = `${question.title} · ${describe(forecast)}`;
  const location = (forecast.cost ?? 0) > SHOWN_COST ? vscode.ProgressLocation.Notification : progress;
  const answer = await vscode.window.withProgress({ location, title, cancellable: true }, (_, token) => {
    const left = new AbortController();
    token.onCancellationRequested(() => left.abort());
    const signal = AbortSignal.any([left.signal, ...(stopped ? [stopped] : [])]);
    return answerOf(services, request, onText, signal).finally(release);
  });
  if (answer?.cost !== undefined) {
    const cost = formatMoney(answer.cost);
    const text = l10n.t('The answer cost {0}', answer.isSample ? asSample(cost) : cost);
    vscode.window.setStatusBarMessage(text, COST_MS);
  }
  return answer;
}

function requestOf({ modelUses, models, settings }: ModelCallServices, question: CodeQuestion): ChatRequest {
  const { use, prompt, attachments, expectedTokens } = question;
  const model = modelUses.modelFor(use);
  const expectedMax = Math.max(settings.maxTokens, expectedTokens * MARGIN + SPARE_TOKENS);
  const maxTokens = Math.min(expectedMax, models.find(model)?.maxOutputTokens ?? Number.POSITIVE_INFINITY);
  const entry = { role: 'user', id: 'command', text: prompt, attachments } as const;
  return buildRequest([entry], { model, systemPrompt: '', maxTokens }, () => undefined);
}

function forecastOf(
  { models, counter, connection }: ModelCallServices,
  request: ChatRequest,
  expectedTokens: number,
): CallForecast {
  const model = models.find(request.model);
  const { tokens } = counter.estimate(request);
  const [costIn, costOut] = [model && inputCost(tokens, model), model && outputCost(expectedTokens, model, tokens)];
  return {
    model: request.model,
    tokens,
    isSample: connection.current.kind === 'sandbox',
    cost: costIn === undefined || costOut === undefined ? undefined : costIn + costOut,
  };
}

function describe({ tokens, cost, isSample }: CallForecast): string {
  const size = l10n.t('{0} tokens', approximately(formatTokens(tokens)));
  if (cost === undefined) return size;
  return `${size}, ${isSample ? asSample(formatEstimate(cost)) : formatEstimate(cost)}`;
}

async function isWanted({ commandsAskAbove }: Settings, forecast: CallForecast): Promise<boolean> {
  const { model, tokens, cost } = forecast;
  if (cost === undefined ? tokens <= MANY_TOKENS : cost <= commandsAskAbove) return true;
  const send = l10n.t('Send');
  const choice = await vscode.window.showWarningMessage(
    l10n.t('Send {0} to {1}?', describe(forecast), model),
    {
      modal: true,
      detail: l10n.t('The setting “modelAccess.commands.askAbove” sets the cost above which you are asked.'),
    },
    send,
  );
  return choice === send;
}

async function answerOf(
  services: ModelCallServices,
  request: ChatRequest,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<PaidText | undefined> {
  try {
    const answer = await askOnce(services, { request, source: 'command', signal, onText });
    if (answer.isCut) throw new Error(l10n.t('The answer is too long.'));
    return answer;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
