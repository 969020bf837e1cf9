import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestMemory } from '../core/heldMemory.ts';
import type { RequestSession } from '../core/requestSession.ts';
import type { SealedFacts } from '../core/standIns.ts';
import type { AnswerSink, Upstream } from '../core/upstream.ts';
import type { QueuePlace } from '../rateLimits/requestQueues.ts';

/** What the gateway decides about a request before an upstream is asked. */
export class ExchangeTerms {
  /** The ID of the local key that sent the request. Undefined until a valid key is found. */
  localKeyId: string | undefined;
  /** Whether it may be measured what the request consists of. */
  isMeasured = true;
  /** The model as named in the request. */
  model: string | undefined;
  session: RequestSession | undefined;
  /** Freed when the exchange ends. */
  memory: RequestMemory | undefined;
  /** The place in the queue of its key, if the key has limits. */
  place: QueuePlace | undefined;
  /** The limit of the output that the gateway has set, because a budget covers no more. In tokens. */
  outputLimit: number | undefined;
  sealed: SealedFacts | undefined;
  /** Returns the sink that restores the replaced secrets in the answer. */
  opens: ((sink: AnswerSink) => AnswerSink) | undefined;
  /** The upstream that was asked. If it is a router, the selected member is in the record. */
  upstream: Upstream | undefined;

  /** Returns the headers of the answer with what the gateway has changed in the request. */
  protected withNotes(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    const { outputLimit, sealed } = this;
    return {
      ...headers,
      ...(outputLimit !== undefined && { 'x-model-access-output-limit': String(outputLimit) }),
      ...(sealed !== undefined && { 'x-model-access-sealed': String(sealed.count) }),
    };
  }
}
