import type { OutgoingHttpHeaders } from 'node:http';
import { CallHandle } from '../core/callHandle.ts';
import { PassingSink } from '../core/passingSink.ts';
import type { AnswerSink, UpstreamMember, UpstreamRequest } from '../core/upstream.ts';
import { RefusedKeySink } from './refusedKey.ts';

/** A request for a stored response, to one upstream after the other until one has it. */
export class StoredResponseCall extends CallHandle {
  readonly #request: UpstreamRequest;
  readonly #sink: AnswerSink;

  constructor(request: UpstreamRequest, members: readonly [UpstreamMember, ...UpstreamMember[]], sink: AnswerSink) {
    super();
    this.#request = request;
    this.#sink = sink;
    this.#ask(members);
  }

  #ask([{ upstream }, next, ...rest]: readonly [UpstreamMember, ...UpstreamMember[]]): void {
    if (this.isCanceled) return;
    this.#sink.routed?.({ upstream: upstream.id, format: 'responses' });
    const sink = new RefusedKeySink(this.#request, upstream.id, this.#sink);
    const further = next === undefined ? undefined : () => this.#ask([next, ...rest]);
    this.call = upstream.send(this.#request, further === undefined ? sink : new UnlessMissing(sink, further));
  }
}

/** Passes an answer on, unless the upstream does not have what is asked for. */
class UnlessMissing extends PassingSink {
  readonly #askNext: () => void;
  #isMissing = false;

  constructor(sink: AnswerSink, askNext: () => void) {
    super(sink);
    this.#askNext = askNext;
  }

  override start(status: number, headers: OutgoingHttpHeaders): void {
    this.#isMissing = status === 404 || status === 400;
    if (!this.#isMissing) super.start(status, headers);
  }

  override data(chunk: Buffer): boolean {
    return this.#isMissing || super.data(chunk);
  }

  override end(): void {
    if (this.#isMissing) this.#askNext();
    else super.end();
  }

  override fail(): void {
    this.#askNext();
  }
}
