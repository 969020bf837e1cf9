/** The models that a key may use: in its requests, and in the lists that it gets. */

import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { matchesAny } from '../core/modelPattern.ts';
import type { Refusal } from '../core/refusal.ts';
import { RewrittenList } from '../core/rewrittenList.ts';
import { decodeSegment } from '../core/route.ts';
import {
  type AnswerSink,
  type Offer,
  offersOf,
  type Upstream,
  type UpstreamCall,
  type UpstreamRequest,
} from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
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

/** An upstream whose lists contain only the models that the key may use. */
export class AllowedModels extends WrappedUpstream {
  readonly #key: KeyDetails;

  constructor(upstream: Upstream, key: KeyDetails) {
    super(upstream);
    this.#key = key;
  }

  /** Returns the refusal if the key may not use the model that is requested with `/{id}`. */
  refusalOf(subpath: string): Refusal | undefined {
    return subpath.length <= 1 ? undefined : this.#check(decodeSegment(subpath.slice(1)));
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    if (request.subpath.length > 1) return super.send(request, sink);
    return super.send(request, new RewrittenList(sink, (list, models) => this.#filtered(list, models)));
  }

  /** In the messages format, a list also contains the IDs of its first and last model. */
  #filtered(list: JsonRecord, models: readonly unknown[]): JsonRecord {
    const data = models.filter((model) => isRecord(model) && this.#check(String(model.id)) === undefined);
    const ends = 'first_id' in list ? { first_id: idOf(data[0]), last_id: idOf(data.at(-1)) } : {};
    return { ...list, data, ...ends };
  }

  #check(model: string): Refusal | undefined {
    return checkModel(this.#key, model, offersOf(this.inner, model));
  }
}

function idOf(model: unknown): unknown {
  return isRecord(model) ? model.id : null;
}
