/** Rewrites the answer of `/models` on its way to the client. */
import type { OutgoingHttpHeaders } from 'node:http';
import { type ApiError, malformed } from '../../formats/apiError.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { BoundedBytes, MAX_WHOLE_BYTES } from '../http/byteList.ts';
import { decompress } from '../http/contentEncoding.ts';
import { parseJsonBody } from '../http/jsonBody.ts';
import type { AnswerSink, Routing, Upstream, UpstreamCall, UpstreamRequest } from './upstream.ts';
import { WrappedUpstream } from './wrappedUpstream.ts';

const TOO_LONG = malformed("The upstream's list of models is too long. The limit is 16 MB.");

/** Returns the list that the client gets, from the upstream's list and its entries. */
export type RewriteList = (list: JsonRecord, models: readonly unknown[]) => JsonRecord;

/** Buffers a list until it is complete, and passes on everything else. */
export class RewrittenList implements AnswerSink {
  readonly #sink: AnswerSink;
  readonly #rewrite: RewriteList;
  #headers: OutgoingHttpHeaders | undefined;
  readonly #bytes = new BoundedBytes();
  #isOver = false;

  constructor(sink: AnswerSink, rewrite: RewriteList) {
    this.#sink = sink;
    this.#rewrite = rewrite;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (status === 200) this.#headers = headers;
    else this.#sink.start(status, headers);
  }

  data(chunk: Buffer): boolean {
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
      this.fail(malformed('The upstream returned an invalid list of models.'));
      return;
    }
    const rewritten = Buffer.from(JSON.stringify(this.#rewrite(list, list.data)));
    this.#sink.start(200, { ...headers, 'content-length': rewritten.length });
    this.#sink.data(rewritten);
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
}

/** An upstream whose list of models is rewritten. The query, which asks for that form of the list, is not sent. */
export class RewrittenModels extends WrappedUpstream {
  readonly #rewrite: RewriteList;

  constructor(upstream: Upstream, rewrite: RewriteList) {
    super(upstream);
    this.#rewrite = rewrite;
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    return super.send({ ...request, query: '' }, new RewrittenList(sink, this.#rewrite));
  }
}
