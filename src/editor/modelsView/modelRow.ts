/** A model of the catalog as a row, and what the catalog says of it as rows below it. */
import * as l10n from '@vscode/l10n';
import { shortModelName } from '../../display/models.ts';
import { formatPrice } from '../../display/money.ts';
import { approximately, formatTokensExact, formatWindow } from '../../display/tokens.ts';
import type { Model } from '../../service/modelCatalog.ts';
import { cachePrices } from '../../tokens/price.ts';
import { familyTitle } from '../models/family.ts';
import type { Row } from '../rows/row.ts';

export interface ModelFacts {
  readonly isFavourite: boolean;
  /** Whether the conversation that is shown uses it. */
  readonly isInUse: boolean;
  /** Who answers questions of the chat to it, in words. */
  readonly answeredBy: string;
  /** Who answers other tools, where that is somebody else. */
  readonly forTools?: string;
}

/** @param group where the row stands: favourites stand in two places. */
export function modelRow(model: Model, facts: ModelFacts, group: 'favourites' | 'family'): Row {
  const { id, displayName } = model;
  const details = detailsOf(model, facts);
  const name = displayName === undefined ? id : `${displayName} (${id})`;
  const label = marked(group === 'family' ? nameInFamily(model) : shortModelName(id), facts);
  return {
    id: `${group}:${id}`,
    label,
    description: summary(label, model).join(' · '),
    tooltip: [name, ...details.map(([fact, value]) => `${fact}: ${value}`)].join('\n'),
    kind: facts.isFavourite ? 'favouriteModel' : 'model',
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

/** Under the title of its family the rest of a name is enough, as long as there is a word in it. */
function nameInFamily(model: Model): string {
  const rest = /^[a-z]+-(.*[a-z].*)$/i.exec(model.id)?.[1];
  return rest !== undefined && familyTitle({ id: model.id }) === familyTitle(model) ? rest : model.id;
}

/** An icon for one row alone would set its name apart from the others, and one for each takes the prices' room. */
function marked(name: string, { isInUse }: ModelFacts): string {
  return isInUse ? `${name} ✓` : name;
}

/** Characters of a name and its prices that the narrowest usual view shows. */
const ROOM = 22;

/**
 * `$0.50/$3`, `200k`: prices of input and output, and the window. A narrow view cuts off the end, and a mark of that
 * takes room too: so the prices come first, and the window is left to the rows below where a long name leaves no room for
 * it. What the catalog does not say is left out.
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

function detailsOf(model: Model, { answeredBy, forTools }: ModelFacts): [name: string, value: string][] {
  const { contextWindow, maxOutputTokens, inputPrice, outputPrice } = model;
  const rows: [string, string | undefined][] = [
    [l10n.t('Context'), contextWindow === undefined ? undefined : tokens(contextWindow)],
    [l10n.t('Max output tokens'), maxOutputTokens === undefined ? undefined : tokens(maxOutputTokens)],
    [l10n.t('Input'), inputPrice === undefined ? undefined : price(inputPrice)],
    ...cacheRows(model),
    [l10n.t('Output'), outputPrice === undefined ? undefined : price(outputPrice)],
    [l10n.t('Supports'), abilities(model)],
    [l10n.t('Served by'), answeredBy],
    [l10n.t('Name for other tools'), forTools],
  ];
  return rows.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
}

/** ≈ stands for a price that is not in the catalog: bills are worked out with it. */
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

function tokens(count: number): string {
  return l10n.t('{0} tokens', formatTokensExact(count));
}

function price(usd: number): string {
  return l10n.t('{0} per 1M tokens', formatPrice(usd));
}

/** `undefined` when the catalog says nothing of them. */
function abilities({ tools, images, reasoning }: Model): string | undefined {
  if (tools === undefined && images === undefined && reasoning === undefined) return undefined;
  const words = [tools && l10n.t('tools'), images && l10n.t('images'), reasoning && l10n.t('reasoning')];
  return words.filter((word) => !!word).join(', ') || l10n.t('text only');
}
