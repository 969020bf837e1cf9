import type { KeyMask } from './keyMask.ts';
import { memberOf, offersOf } from './offers.ts';
import type {
  AnswerSink,
  Endpoint,
  Offer,
  Upstream,
  UpstreamCall,
  UpstreamMember,
  UpstreamRequest,
} from './upstream.ts';

/** An upstream that does one thing differently than the one behind it, and all else as that does. */
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

  takesBodyStream(endpoint: Endpoint): boolean {
    return this.inner.takesBodyStream?.(endpoint) === true;
  }

  send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    return this.inner.send(request, sink);
  }

  member(id: string): UpstreamMember {
    return memberOf(this.inner, id);
  }

  offers(model: string): readonly Offer[] {
    return offersOf(this.inner, model);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
