/** A row for a model of the catalog, with its details as child rows. */
import * as l10n from '@vscode/l10n';
import { familyTitle, nameInFamily } from '../../display/models.ts';
import { formatPrice } from '../../display/money.ts';
import { approximately, formatTokensExact, formatWindow } from '../../display/tokens.ts';
import type { Model } from '../../service/modelCatalog.ts';
import { cachePrices } from '../../tokens/price.ts';
import type { Row } from '../rows/row.ts';

export interface ModelFacts {
  readonly isFavorite: boolean;
  /** Whether the conversation shown uses it. */
  readonly isInUse: boolean;
  /** The text for the upstream that serves the model in the chat. */
  readonly answeredBy: string;
  /** The text for the upstream that serves other tools, if it is a different one. */
  readonly forTools?: string;
  /** Members of requests that the service has refused for this model. */
  readonly refuses?: readonly string[];
}

/** @param group The place of the row, because favorites are listed in two places. */
export function modelRow(model: Model, facts: ModelFacts, group: 'favourites' | 'family'): Row {
  const { id, displayName } = model;
  const details = detailsOf(model, facts);
  const name = displayName === undefined ? id : `${displayName} (${id})`;
  const label = marked(group === 'family' ? nameInFamily(id, familyTitle(model)) : id, facts);
  return {
    id: `${group}:${id}`,
    label,
    description: summary(label, model).join(' · '),
    tooltip: [name, ...details.map(([fact, value]) => `${fact}: ${value}`)].join('\n'),
    kind: facts.isFavorite ? 'favouriteModel' : 'model',
    subject: id,
    spoken: [id, ...spokenSummary(model), ...(facts.isInUse ? [l10n.t('in use')] : [])].join(', '),
    isClosed: true,
    children: details.map(([fact, value]) => ({
      id: `${group}:${id}:${fact}`,
      label: fact,
      description: value,
      kind: 'modelFact',
    })),
  };
}

/**
 * Marks the model in use with a character: an icon on one row only would misalign its name, and one on each row would
 * take the prices' space.
 */
function marked(name: string, { isInUse }: ModelFacts): string {
  return isInUse ? `${name} ✓` : name;
}

/** The number of characters of a name and its prices that fit into a narrow view. */
const ROOM = 22;

/**
 * Prices of input and output, and the context window: `$0.50/$3`, `200k`. A narrow view cuts off the end, so the prices
 * come first, and the window is shown only in the child rows if a long name leaves no room. Values that are not in the
 * catalog are omitted.
 */
function summary(name: string, { contextWindow, inputPrice, outputPrice }: Model): string[] {
  const noPrices = inputPrice === undefined && outputPrice === undefined;
  const prices = noPrices ? '' : [inputPrice, outputPrice].map(shortPrice).join('/');
  const hasRoom = prices === '' || name.length + prices.length <= ROOM;
  return [
    ...(prices === '' ? [] : [prices]),
    ...(contextWindow === undefined || !hasRoom ? [] : [formatWindow(contextWindow)]),
  ];
}

function shortPrice(usd: number | undefined): string {
  if (usd === undefined) return '–';
  return Number.isInteger(usd) ? `$${usd}` : formatPrice(usd);
}

function spokenSummary({ contextWindow, inputPrice, outputPrice }: Model): string[] {
  return [
    ...(contextWindow === undefined ? [] : [l10n.t('{0} context', formatWindow(contextWindow))]),
    ...(inputPrice === undefined ? [] : [l10n.t('{0} in', formatPrice(inputPrice))]),
    ...(outputPrice === undefined ? [] : [l10n.t('{0} out per 1M tokens', formatPrice(outputPrice))]),
  ];
}

function detailsOf(model: Model, { answeredBy, forTools, refuses = [] }: ModelFacts): [name: string, value: string][] {
  const { contextWindow, maxOutputTokens, inputPrice, outputPrice } = model;
  const rows: [string, string | undefined][] = [
    [l10n.t('Context'), contextWindow === undefined ? undefined : tokens(contextWindow)],
    [l10n.t('Max output tokens'), maxOutputTokens === undefined ? undefined : tokens(maxOutputTokens)],
    [l10n.t('Input'), inputPrice === undefined ? undefined : price(inputPrice)],
    ...cacheRows(model),
    [l10n.t('Output'), outputPrice === undefined ? undefined : price(outputPrice)],
    ...longPromptRows(model),
    [l10n.t('Supports'), abilities(model)],
    [l10n.t('Refuses'), refuses.length === 0 ? undefined : refuses.join(', ')],
    [l10n.t('Served by'), answeredBy],
    [l10n.t('Name for other tools'), forTools],
  ];
  return rows.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
}

/** ≈ marks an assumed price that is not in the catalog but is used to compute costs. */
function cacheRows(model: Model): [name: string, value: string][] {
  const names = {
    cachedInput: l10n.t('Cache read'),
    cacheWrite: l10n.t('Cache write, 5 min'),
    longCacheWrite: l10n.t('Cache write, 1 h'),
  };
  return cachePrices(model).map(({ kind, price: usd, isAssumed }) => [
    names[kind],
    isAssumed ? approximately(price(usd)) : price(usd),
  ]);
}

/** The prices of requests whose input is longer than a number of tokens. */
function longPromptRows({ longPrompts = [] }: Model): [name: string, value: string][] {
  return longPrompts.flatMap(({ above, inputPrice, outputPrice }): [string, string][] => [
    ...rowOf(l10n.t('Input above {0}', formatWindow(above)), inputPrice),
    ...rowOf(l10n.t('Output above {0}', formatWindow(above)), outputPrice),
  ]);
}

function rowOf(name: string, usd: number | undefined): [name: string, value: string][] {
  return usd === undefined ? [] : [[name, price(usd)]];
}

function tokens(count: number): string {
  return l10n.t('{0} tokens', formatTokensExact(count));
}

function price(usd: number): string {
  return l10n.t('{0} per 1M tokens', formatPrice(usd));
}

/** Returns `undefined` if the catalog does not list any. */
function abilities({ tools, images, reasoning }: Model): string | undefined {
  if (tools === undefined && images === undefined && reasoning === undefined) return undefined;
  const words = [tools && l10n.t('tools'), images && l10n.t('images'), reasoning && l10n.t('reasoning')];
  return words.filter((word) => !!word).join(', ') || l10n.t('text only');
}
