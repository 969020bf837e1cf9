import type { KeyMask } from './keyMask.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamCall, UpstreamRequest } from './upstream.ts';

/** Delegates everything to an inner upstream. Subclasses override what they change. */
export class WrappedUpstream implements Upstream {
  protected readonly inner: Upstream;
  readonly marksCache: boolean;

  constructor(inner: Upstream) {
    this.inner = inner;
    this.marksCache = inner.marksCache === true;
  }

  get id(): string {
    return this.inner.id;
  }

  get mask(): KeyMask | undefined {
    return this.inner.mask;
  }

  takesBodyStream(endpoint: Endpoint): boolean {
    return this.inner.takesBodyStream?.(endpoint) === true;
  }

  send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    return this.inner.send(request, sink);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
