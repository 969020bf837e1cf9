/** Filters the answer of `/models` for a local key with a list of allowed models. */
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { offersOf } from '../core/offers.ts';
import type { Refusal } from '../core/refusal.ts';
import { RewrittenList } from '../core/rewrittenList.ts';
import type { AnswerSink, Upstream, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
import { checkModel } from './allowedModels.ts';
import type { KeyDetails } from './issuedKey.ts';

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

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
