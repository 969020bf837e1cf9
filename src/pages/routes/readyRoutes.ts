/** Routes that people often want, filled in with the models of the catalog. */
import * as l10n from '@vscode/l10n';
import type { Model } from '../../service/modelCatalog.ts';
import { smallModel } from '../../service/smallModel.ts';
import type { ReadyRoute, RouteForm } from './protocol.ts';

/** Requests with fewer input tokens than this are short: titles, summaries of one file, simple questions. */
const SHORT_TOKENS = 8_000;

const NOTHING: Omit<RouteForm, 'name' | 'use'> = {
  when: [],
  also: [],
  limits: { firstTokenSeconds: '', idleSeconds: '', totalSeconds: '' },
};

/**
 * @param usual the ID of the model that answers unless something is in the way.
 * @returns those routes for which the catalog has the models.
 */
export function readyRoutes(models: readonly Model[], usual: string): readonly ReadyRoute[] {
  const model = models.find(({ id }) => id === usual) ?? models[0];
  if (model === undefined) return [];
  return [cheapRoute(models, model), longRoute(models, model), otherVendorRoute(models, model)].flatMap(
    (route) => route ?? [],
  );
}

function cheapRoute(models: readonly Model[], { id }: Model): ReadyRoute | undefined {
  const small = smallModel(models, id);
  if (small === undefined || small === id) return undefined;
  const rule = { requestClass: '', agent: '', tool: '', image: '', tokensAbove: '' } as const;
  const when = [{ ...rule, tokensBelow: String(SHORT_TOKENS), use: [small] }];
  return {
    title: l10n.t('Cheaper for short requests'),
    form: { ...NOTHING, name: 'cheaper-when-short', use: [id], when },
  };
}

function longRoute(models: readonly Model[], { id, contextWindow = 0 }: Model): ReadyRoute | undefined {
  const [largest] = models.toSorted((one, other) => (other.contextWindow ?? 0) - (one.contextWindow ?? 0));
  if (largest === undefined || (largest.contextWindow ?? 0) <= contextWindow) return undefined;
  return {
    title: l10n.t('Larger window when a request is too long'),
    form: { ...NOTHING, name: 'larger-when-long', use: [id, largest.id], also: ['overflow'] },
  };
}

/** The other vendor's model whose output costs about the same. */
function otherVendorRoute(models: readonly Model[], { id, family, outputPrice }: Model): ReadyRoute | undefined {
  if (outputPrice === undefined) return undefined;
  const difference = (model: Model) => Math.abs((model.outputPrice ?? Number.POSITIVE_INFINITY) - outputPrice);
  const others = models.filter((model) => model.family !== family);
  const [nearest] = others.toSorted((one, other) => difference(one) - difference(other));
  if (nearest === undefined) return undefined;
  return {
    title: l10n.t('Second vendor when the first fails'),
    form: { ...NOTHING, name: 'second-vendor', use: [id, nearest.id], also: ['credit', 'refusal'] },
  };
}
