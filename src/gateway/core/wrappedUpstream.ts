import type { KeyMask } from './keyMask.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamCall, UpstreamRequest } from './upstream.ts';

/** Delegates everything to an inner upstream. Subclasses override what they change. */
export class WrappedUpstream implements Upstream {
  protected readonly inner: Upstream;
  readonly id: string;
  readonly mask: KeyMask | undefined;
  readonly marksCache: boolean;
  readonly reportsUsage: Upstream['reportsUsage'];
  readonly maxTokensPerSecond: number | undefined;
  readonly secretPolicy: Upstream['secretPolicy'];
  readonly isOnThisMachine: boolean;

  constructor(inner: Upstream) {
    this.inner = inner;
    this.id = inner.id;
    this.mask = inner.mask;
    this.marksCache = inner.marksCache === true;
    this.reportsUsage = inner.reportsUsage;
    this.maxTokensPerSecond = inner.maxTokensPerSecond;
    this.secretPolicy = inner.secretPolicy;
    this.isOnThisMachine = inner.isOnThisMachine === true;
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
