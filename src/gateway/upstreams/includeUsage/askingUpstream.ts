import type { AnswerSink, Endpoint, SizedBody, Upstream, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
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

/**
 * Returns an upstream whose chat-completions streams report their usage if they can.
 * @param isAllowed false if the upstream must not be asked.
 */
export function askingForUsage(upstream: Upstream, isAllowed = true): Upstream {
  return isAllowed && upstream.reportsUsage === 'onRequest' ? new AskingUpstream(upstream) : upstream;
}

const CHAT_COMPLETIONS: Endpoint = '/chat/completions';

/**
 * Asks chat-completions streams for their usage on behalf of callers who do not ask for it. Remembers whether the
 * upstream supports the option.
 */
class AskingUpstream extends WrappedUpstream {
  #support: FieldSupport | 'unknown' = 'unknown';

  override get reportsUsage(): Upstream['reportsUsage'] {
    return this.#support === 'refused' ? 'never' : 'always';
  }

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
    // The parsed body lacks the option.
    const { json: _, ...rest } = request;
    return asked && { request: { ...rest, body: asked }, without: () => request, hidesUsage: () => true };
  }
}

function askingLong(request: UpstreamRequest, source: SizedBody): AskingRequest {
  const bodyStream = new LongBodyAsking(source);
  return { request: { ...request, bodyStream }, hidesUsage: () => bodyStream.hasAsked };
}
