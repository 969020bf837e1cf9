import type { AnswerSink, Endpoint, SizedBody, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { WrappedUpstream } from '../../core/wrappedUpstream.ts';
import { RetryingCall } from '../retryingCall.ts';
import { LongBodyAsking } from './longBody.ts';
import { OPTIONS, withoutOptions, withUsageAsked } from './usageOption.ts';
import { UsageSink } from './usageSink.ts';

interface AskingRequest {
  /** With the option. */
  readonly request: UpstreamRequest;
  /** The same without it; absent when it cannot be sent again. */
  readonly without?: UpstreamRequest;
  /** Whether the caller shall not see what it did not ask for. Known once the request has gone. */
  readonly hidesUsage: () => boolean;
}

const REFUSED_NAMES = [OPTIONS, 'include_usage'];

const CHAT_COMPLETIONS: Endpoint = '/chat/completions';

/**
 * An upstream whose chat-completions streams are asked what they used, for callers who do not ask by themselves. Whether
 * it takes the option is remembered for as long as the upstream is in use.
 */
export class AskingUpstream extends WrappedUpstream {
  #stand: 'unknown' | 'takesIt' | 'refusesIt' = 'unknown';

  /** A body that has gone cannot be sent again without the option, so the first ones are kept until the answer. */
  override takesBodyStream(endpoint: Endpoint): boolean {
    const mayBeSentAgain = endpoint === CHAT_COMPLETIONS && this.#stand === 'unknown';
    return !mayBeSentAgain && super.takesBodyStream(endpoint);
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const asking = request.endpoint === CHAT_COMPLETIONS ? this.#asking(request) : undefined;
    if (asking === undefined) return super.send(request, sink);
    if (this.#stand === 'refusesIt' && asking.without !== undefined) return super.send(asking.without, sink);
    const onTold = (stand: 'takesIt' | 'refusesIt') => {
      this.#stand = stand;
    };
    const { hidesUsage, ...requests } = asking;
    const attempted = { ...requests, names: REFUSED_NAMES, onTold };
    return new RetryingCall(this.inner, attempted, new UsageSink(sink, hidesUsage), sink);
  }

  #asking(request: UpstreamRequest): AskingRequest | undefined {
    const { body, bodyStream } = request;
    if (bodyStream !== undefined) return this.#stand === 'takesIt' ? askingLong(request, bodyStream) : undefined;
    if (body === undefined) return undefined;
    if (request.asksUsageForGateway === true) {
      return { request, without: { ...request, body: withoutOptions(body) }, hidesUsage: () => false };
    }
    const asked = withUsageAsked(body);
    return asked && { request: { ...request, body: asked }, without: request, hidesUsage: () => true };
  }
}

function askingLong(request: UpstreamRequest, source: SizedBody): AskingRequest {
  const bodyStream = new LongBodyAsking(source);
  return { request: { ...request, bodyStream }, hidesUsage: () => bodyStream.hasAsked };
}
