import type { AnswerSink, Endpoint, SizedBody, UpstreamRequest } from '../../core/upstream.ts';
import type { Addition } from '../repairs/addition.ts';
import { LongBodyAsking } from './longBody.ts';
import { OPTIONS, withUsageAsked } from './usageOption.ts';
import { UsageSink } from './usageSink.ts';

/**
 * Asks chat-completions streams for their usage on behalf of callers who do not ask for it, and hides it from them. A
 * streamed body may be impossible to send again without the option, so bodies are not streamed until the upstream has
 * accepted it.
 */
export class AskingUsage implements Addition {
  readonly endpoints: readonly Endpoint[] = ['/chat/completions'];
  readonly members = [OPTIONS, 'include_usage'] as const;
  #isAccepted = false;

  get addsToStreams(): boolean {
    return this.#isAccepted;
  }

  add(request: UpstreamRequest): UpstreamRequest | undefined {
    const { body, bodyStream } = request;
    // Translation asks for the usage itself, and reads it.
    if (request.isTranslated === true) return undefined;
    if (bodyStream !== undefined) return { ...request, bodyStream: new LongBodyAsking(bodyStream) };
    const asked = body && withUsageAsked(body);
    if (asked === undefined) return undefined;
    // The parsed body lacks the option.
    const { json: _, ...rest } = request;
    return { ...rest, body: asked };
  }

  accepted(): void {
    this.#isAccepted = true;
  }

  wrap(sink: AnswerSink, { bodyStream }: UpstreamRequest): UsageSink {
    return new UsageSink(sink, () => hasAsked(bodyStream));
  }
}

/** Of a body that is still arriving, this is known once it was sent. */
function hasAsked(body: SizedBody | undefined): boolean {
  return !(body instanceof LongBodyAsking) || body.hasAsked;
}
