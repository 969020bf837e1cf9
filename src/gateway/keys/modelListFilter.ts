/** Filters the answer of `/models` for a local key with a list of allowed models. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { offersOf } from '../core/offers.ts';
import type { Refusal } from '../core/refusal.ts';
import type { AnswerSink, Routing, Upstream, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
import { BoundedBytes, MAX_WHOLE_BYTES } from '../http/boundedBytes.ts';
import { decompress } from '../http/contentEncoding.ts';
import { parseJsonBody } from '../http/jsonBody.ts';
import { checkModel } from './allowedModels.ts';
import type { KeyDetails } from './issuedKey.ts';

const TOO_LONG: ApiError = {
  kind: 'malformed',
  status: 502,
  message: "The upstream's list of models is too long. The limit is 16 MB.",
};

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
    const isAllowed = (model: string) => this.#check(model) === undefined;
    return super.send(request, new FilteredList(sink, isAllowed));
  }

  #check(model: string): Refusal | undefined {
    return checkModel(this.#key, model, offersOf(this.inner, model));
  }
}

/** Buffers a list until it is complete, and passes on everything else. */
class FilteredList implements AnswerSink {
  readonly #sink: AnswerSink;
  readonly #isAllowed: (model: string) => boolean;
  #headers: OutgoingHttpHeaders | undefined;
  readonly #bytes = new BoundedBytes();
  #isOver = false;

  constructor(sink: AnswerSink, isAllowed: (model: string) => boolean) {
    this.#sink = sink;
    this.#isAllowed = isAllowed;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (status === 200) this.#headers = headers;
    else this.#sink.start(status, headers);
  }

  data(chunk: Uint8Array | string): boolean {
    if (this.#headers === undefined) return this.#sink.data(chunk);
    if (!this.#isOver && !this.#bytes.add(chunk)) this.fail(TOO_LONG);
    return true;
  }

  end(): void {
    if (this.#headers === undefined) {
      this.#sink.end();
      return;
    }
    if (this.#isOver) return;
    const { 'content-encoding': encoding, etag: _, ...headers } = this.#headers;
    const body = decompress(this.#bytes.concat(), String(encoding ?? ''), MAX_WHOLE_BYTES);
    const list = body === undefined ? undefined : parseJsonBody(body);
    if (!isRecord(list) || !Array.isArray(list.data)) {
      this.fail({ kind: 'malformed', status: 502, message: 'The upstream returned an invalid list of models.' });
      return;
    }
    const filtered = Buffer.from(JSON.stringify(this.#filtered(list, list.data)));
    this.#sink.start(200, { ...headers, 'content-length': filtered.length });
    this.#sink.data(filtered);
    this.#sink.end();
  }

  fail(error: ApiError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sink.fail(error);
  }

  routed(routing: Routing): void {
    this.#sink.routed?.(routing);
  }

  /** In the messages format, a list also contains the IDs of its first and last model. */
  #filtered(list: JsonRecord, models: readonly unknown[]): JsonRecord {
    const data = models.filter((model) => isRecord(model) && this.#isAllowed(String(model.id)));
    const ends = 'first_id' in list ? { first_id: idOf(data[0]), last_id: idOf(data.at(-1)) } : {};
    return { ...list, data, ...ends };
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
