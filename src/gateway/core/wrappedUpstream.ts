import type { KeyMask } from './keyMask.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamCall, UpstreamRequest } from './upstream.ts';

/** Delegates everything to an inner upstream. Subclasses override what they change. */
export class WrappedUpstream implements Upstream {
  protected readonly inner: Upstream;

  constructor(inner: Upstream) {
    this.inner = inner;
  }

  get id(): string {
    return this.inner.id;
  }

  get mask(): KeyMask | undefined {
    return this.inner.mask;
  }

  get reportsUsage(): Upstream['reportsUsage'] {
    return this.inner.reportsUsage;
  }

  get maxTokensPerSecond(): number | undefined {
    return this.inner.maxTokensPerSecond;
  }

  get marksCache(): boolean {
    return this.inner.marksCache === true;
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
