import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatEstimate, formatRoughly } from '../../../display/money.ts';
import { formatTokens, formatWindow } from '../../../display/tokens.ts';
import { type ReplayCost, replayCost } from '../../../pages/session/replay/replayCost.ts';
import type { Model } from '../../../service/modelCatalog.ts';
import type { ReplayableRow } from './recordedRequest.ts';

/** What the user has agreed to. */
export interface ChosenReplay {
  readonly model: Model;
  readonly rows: readonly ReplayableRow[];
  /** Undefined if the price of the model is unknown. */
  readonly cost: ReplayCost | undefined;
}

export interface ReplayQuestion {
  /** The requests that can be sent again, the first one first. */
  readonly rows: readonly ReplayableRow[];
  /** The number of requests of the main agent, with those that were not captured. */
  readonly all: number;
  /** The preferred ones first. */
  readonly models: readonly Model[];
  /** The name of the local key that pays. */
  readonly keyName: string;
  readonly isSample: boolean;
}

/** Asks for the model and the turns, and whether to send the requests for their price. Sends nothing. */
export async function askReplay(question: ReplayQuestion): Promise<ChosenReplay | undefined> {
  const model = await chooseModel(question);
  if (model === undefined) return undefined;
  const rows = await chooseTurns(question, model);
  if (rows === undefined || rows.length === 0) return undefined;
  const chosen = { model, rows, cost: costOf(rows, model) };
  return (await isAgreed(chosen, question)) ? chosen : undefined;
}

async function chooseModel({ rows, models, isSample }: ReplayQuestion): Promise<Model | undefined> {
  const largest = Math.max(...rows.map(({ usage }) => usage.inputTokens));
  const recorded = new Set(rows.map(({ model }) => model));
  const items = models.map((model) => ({
    label: model.id,
    description: rangeText(costOf(rows, model)),
    detail: [
      recorded.has(model.id) ? l10n.t('the recorded model') : undefined,
      model.contextWindow !== undefined && model.contextWindow < largest
        ? l10n.t('does not fit, {0} of {1}', formatTokens(largest), formatWindow(model.contextWindow))
        : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(' · '),
    model,
  }));
  const title = withSandbox(l10n.t('Replay on which model?'), isSample);
  const placeHolder = l10n.t('You are asked to confirm before anything is sent');
  return (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true }))?.model;
}

/** Asks only if there are several turns. All are chosen at first. */
async function chooseTurns(
  { rows, isSample }: ReplayQuestion,
  model: Model,
): Promise<readonly ReplayableRow[] | undefined> {
  const turns = [...Map.groupBy(rows, ({ turn }) => turn)];
  if (turns.length === 1) return rows;
  const items = turns.map(([turn, ofTurn]) => ({
    label: l10n.t('Turn {0}', turn),
    description: [requestsText(ofTurn.length), rangeText(costOf(ofTurn, model))].join(' · '),
    picked: true,
    rows: ofTurn,
  }));
  const title = withSandbox(l10n.t('Replay which turns on {0}?', model.id), isSample);
  const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true });
  return picked?.flatMap((item) => item.rows);
}

async function isAgreed({ model, rows, cost }: ChosenReplay, question: ReplayQuestion): Promise<boolean> {
  const { all, keyName, isSample } = question;
  const range = rangeText(cost);
  const missing = all - question.rows.length;
  const detail = [
    isSample && l10n.t('Sandbox: sample money'),
    missing > 0 && l10n.t('{0} of {1} requests were not captured and are omitted.', missing, all),
    cost === undefined
      ? l10n.t('The price of {0} is unknown.', model.id)
      : l10n.t('Without cache reads, it costs up to {0}. The replay stops at that amount.', formatEstimate(cost.max)),
    l10n.t('The requests are sent through the gateway with the local key “{0}”, one after the other.', keyName),
    l10n.t('They contain the recorded conversation and tool results. No tools are run.'),
  ].filter((line) => line !== false);
  const send = cost === undefined ? l10n.t('Replay') : l10n.t('Replay for {0}', range);
  const asked =
    rows.length === 1
      ? l10n.t('Send 1 request to {0}?', model.id)
      : l10n.t('Send {0} requests to {1}?', rows.length, model.id);
  const options = { modal: true, detail: detail.join('\n\n') };
  return (await vscode.window.showInformationMessage(asked, options, send)) === send;
}

function costOf(rows: readonly ReplayableRow[], model: Model): ReplayCost | undefined {
  return replayCost(
    rows.map(({ usage }) => usage),
    model,
  );
}

function rangeText(cost: ReplayCost | undefined): string {
  if (cost === undefined) return l10n.t('no price');
  return l10n.t('{0} to {1}', formatEstimate(cost.low), formatRoughly(cost.high));
}

/** Says once, in the title of a list, that its amounts are not real. */
function withSandbox(title: string, isSample: boolean): string {
  return isSample ? `${title} · ${l10n.t('Sandbox: sample money')}` : title;
}

function requestsText(count: number): string {
  return count === 1 ? l10n.t('1 request') : l10n.t('{0} requests', count);
}
