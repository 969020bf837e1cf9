/** Checks whether a key may use the model that its request names. */

import { matchesAny } from '../core/modelPattern.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Offer } from '../core/upstream.ts';
import type { KeyDetails } from './issuedKey.ts';
import { modelNotAllowed, modelUnknown } from './keyRefusal.ts';

/**
 * Compares the patterns with the name that the upstream receives, after aliases and `upstream/model` are resolved. A
 * pattern with a slash can also match upstream and model, and the list can contain the full name of an alias.
 * @param model the name in the request.
 * @param offers the upstreams that can serve the model; empty if none can.
 */
export function checkModel(key: KeyDetails, model: string | undefined, offers: readonly Offer[]): Refusal | undefined {
  const { models } = key;
  if (model === undefined) return models === undefined && key.budgets === undefined ? undefined : modelUnknown(key);
  if (models === undefined || models.includes(model)) return undefined;
  const withUpstream = models.filter((pattern) => pattern.includes('/'));
  const isAllowed = (offer: Offer) =>
    matchesAny(models, offer.model) || matchesAny(withUpstream, `${offer.member.upstream.id}/${offer.model}`);
  const mayAll = offers.length === 0 ? matchesAny(models, model) : offers.every(isAllowed);
  return mayAll ? undefined : modelNotAllowed(key, model);
}
