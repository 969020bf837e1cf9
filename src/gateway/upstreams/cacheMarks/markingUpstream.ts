import { modelName } from '../../core/modelName.ts';
import type { AnswerSink, Endpoint, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { WrappedUpstream } from '../../core/wrappedUpstream.ts';
import { type FieldSupport, RetryingCall } from '../retryingCall.ts';
import { keyedResponses, markedChatCompletions, markedMessages } from './markedBody.ts';

/**
 * Models that need marks for caching in the chat-completions format, too. Others cache automatically, and some servers
 * refuse marks.
 */
const MARKED_MODELS = /claude|anthropic/i;

const REFUSED_NAMES = ['cache_control', 'prompt_cache_key'];

const ENDPOINTS: ReadonlySet<Endpoint> = new Set<Endpoint>(['/messages', '/chat/completions', '/responses']);

/**
 * Adds cache marks to requests of clients that set none. If an endpoint refuses the marks, it gets none until the
 * upstream is closed.
 */
export class MarkingUpstream extends WrappedUpstream {
  readonly #refusing = new Set<Endpoint>();

  override get marksCache(): boolean {
    return true;
  }

  /** Adding marks requires the whole body. */
  override takesBodyStream(endpoint: Endpoint): boolean {
    const mayBeMarked = ENDPOINTS.has(endpoint) && !this.#refusing.has(endpoint);
    return !mayBeMarked && super.takesBodyStream(endpoint);
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const body = this.#refusing.has(request.endpoint) ? undefined : markedBody(request);
    if (body === undefined) return super.send(request, sink);
    const { json: _, ...original } = request;
    const onLearned = (support: FieldSupport) => {
      if (support === 'refused') this.#refusing.add(request.endpoint);
    };
    const attempted = { request: { ...original, body }, without: () => request, names: REFUSED_NAMES, onLearned };
    return new RetryingCall(this.inner, attempted, sink);
  }
}

function markedBody({ endpoint, body, session }: UpstreamRequest): Uint8Array | undefined {
  if (body === undefined) return undefined;
  if (endpoint === '/messages') return markedMessages(body);
  if (endpoint === '/chat/completions') {
    return MARKED_MODELS.test(modelName(body) ?? '') ? markedChatCompletions(body) : undefined;
  }
  const sessionId = endpoint === '/responses' ? session?.ids?.sessionId : undefined;
  return sessionId === undefined ? undefined : keyedResponses(body, sessionId);
}
