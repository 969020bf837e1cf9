import { modelName } from '../../core/modelName.ts';
import type { Endpoint, UpstreamRequest } from '../../core/upstream.ts';
import type { Addition } from '../repairs/addition.ts';
import { keyedResponses, markedChatCompletions, markedMessages } from './markedBody.ts';

/**
 * Models that need marks for caching in the chat-completions format, too. Others cache automatically, and some servers
 * refuse marks.
 */
const MARKED_MODELS = /claude|anthropic/i;

/** Adds cache marks to requests of clients that set none. */
export const CACHE_MARKS: Addition = {
  endpoints: ['/messages', '/chat/completions'] satisfies Endpoint[],
  members: ['cache_control'],
  addsToStreams: false,
  add: (request) => withBody(request, markedBody(request)),
};

/** Adds the key with which a service of the responses format finds the session's cache. */
export const CACHE_KEY: Addition = {
  endpoints: ['/responses'],
  members: ['prompt_cache_key'],
  addsToStreams: false,
  add: (request) => withBody(request, keyedBody(request)),
};

function markedBody({ endpoint, body }: UpstreamRequest): Buffer | undefined {
  if (body === undefined) return undefined;
  if (endpoint === '/messages') return markedMessages(body);
  return MARKED_MODELS.test(modelName(body) ?? '') ? markedChatCompletions(body) : undefined;
}

function keyedBody({ body, session }: UpstreamRequest): Buffer | undefined {
  const sessionId = session?.ids?.sessionId;
  return body === undefined || sessionId === undefined ? undefined : keyedResponses(body, sessionId);
}

function withBody({ json: _, ...request }: UpstreamRequest, body: Buffer | undefined): UpstreamRequest | undefined {
  return body && { ...request, body };
}
