import type { AnswerSink, Endpoint, SizedBody, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { WrappedUpstream } from '../../core/wrappedUpstream.ts';
import { type FieldSupport, RetryingCall } from '../retryingCall.ts';
import { LongBodyAsking } from './longBody.ts';
import { OPTIONS, withoutOptions, withUsageAsked } from './usageOption.ts';
import { UsageSink } from './usageSink.ts';

interface AskingRequest {
  /** With the option. */
  readonly request: UpstreamRequest;
  /** Returns the same request without the option. Undefined if it cannot be sent again. */
  readonly without?: () => UpstreamRequest;
  /** Whether the usage must be hidden from the caller, who did not ask for it. Known once the request was sent. */
  readonly hidesUsage: () => boolean;
}

const REFUSED_NAMES = [OPTIONS, 'include_usage'];

const CHAT_COMPLETIONS: Endpoint = '/chat/completions';

/**
 * Asks chat-completions streams for their usage on behalf of callers who do not ask for it. Remembers whether the
 * upstream supports the option.
 */
export class AskingUpstream extends WrappedUpstream {
  #support: FieldSupport | 'unknown' = 'unknown';

  /**
   * A streamed body cannot be sent again without the option, so the first bodies are buffered until the upstream has
   * answered.
   */
  override takesBodyStream(endpoint: Endpoint): boolean {
    const mayBeSentAgain = endpoint === CHAT_COMPLETIONS && this.#support === 'unknown';
    return !mayBeSentAgain && super.takesBodyStream(endpoint);
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const asking = request.endpoint === CHAT_COMPLETIONS ? this.#asking(request) : undefined;
    if (asking === undefined) return super.send(request, sink);
    if (this.#support === 'refused' && asking.without !== undefined) return super.send(asking.without(), sink);
    const onLearned = (support: FieldSupport) => {
      this.#support = support;
    };
    const { hidesUsage, ...requests } = asking;
    const attempted = { ...requests, names: REFUSED_NAMES, onLearned };
    return new RetryingCall(this.inner, attempted, new UsageSink(sink, hidesUsage), sink);
  }

  #asking(request: UpstreamRequest): AskingRequest | undefined {
    const { body, bodyStream } = request;
    if (bodyStream !== undefined) return this.#support === 'accepted' ? askingLong(request, bodyStream) : undefined;
    if (body === undefined) return undefined;
    if (request.asksUsageForGateway === true) {
      const without = () => ({ ...request, body: withoutOptions(body) });
      return { request, without, hidesUsage: () => false };
    }
    const asked = withUsageAsked(body);
    return asked && { request: { ...request, body: asked }, without: () => request, hidesUsage: () => true };
  }
}

function askingLong(request: UpstreamRequest, source: SizedBody): AskingRequest {
  const bodyStream = new LongBodyAsking(source);
  return { request: { ...request, bodyStream }, hidesUsage: () => bodyStream.hasAsked };
}
