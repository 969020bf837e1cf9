/** Converts the services' state to the panel's views. */
import type { Model } from '../../../service/modelCatalog.ts';
import { cachePrices } from '../../../tokens/price.ts';
import { balanceLevel } from '../../balance/balanceLevel.ts';
import type { BalanceState } from '../../balance/balanceMonitor.ts';
import { familyTitle } from '../../models/family.ts';
import type { ModelListState } from '../../models/modelList.ts';
import type { BalanceView, CatalogView, ModelView } from '../protocol.ts';

export function toCatalogView({ models, state, readAt, problem }: ModelListState): CatalogView {
  return {
    models: models.map(toModelView),
    state,
    ...(readAt !== undefined && { readAt }),
    ...(problem !== undefined && { problem }),
  };
}

function toModelView(model: Model): ModelView {
  const { id, contextWindow, inputPrice, outputPrice, tools, images, reasoning } = model;
  return {
    id,
    family: familyTitle(model),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(inputPrice !== undefined && { inputPrice, cachePrices: cachePrices(model) }),
    ...(outputPrice !== undefined && { outputPrice }),
    ...(tools !== undefined && { tools }),
    ...(images !== undefined && { images }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

/** `warnBelow` is in US dollars. */
export function toBalanceView({ balance, problem }: BalanceState, warnBelow: number): BalanceView {
  const remaining = balance?.remaining;
  const level = balanceLevel(balance, warnBelow);
  const usual = problem === undefined ? 'current' : 'stale';
  return {
    state: level === 'normal' ? usual : level,
    ...(remaining !== undefined && { remaining }),
    ...(balance?.team !== undefined && { isBudget: true }),
  };
}
