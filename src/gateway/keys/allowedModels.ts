/** Whether a key may use the model that its request names. */

import { matchesAny } from '../core/modelPattern.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Offer } from '../core/upstream.ts';
import type { KeyDetails } from './issuedKey.ts';
import { modelNotAllowed, modelUnknown } from './keyRefusal.ts';

/**
 * What counts is the name that the upstream will read, behind aliases and `upstream/model`. A pattern with a slash may
 * also stand for upstream and model, and an alias may be in the list by its whole name.
 * @param model as the request names it.
 * @param offers those who may be asked for it; none when nobody offers it.
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
