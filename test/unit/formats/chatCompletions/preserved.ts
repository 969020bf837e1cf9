import * as fc from 'fast-check';
import { TURNS } from '../../../../src/formats/chatCompletions/messages.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { inOrder } from '../../../../src/formats/orderedTurns.ts';
import { type Carried, hostedTools, jsonSchema, members, word } from '../../../support/conversations.ts';

const shared: Carried = {
  members: {
    hostedTools: hostedTools('chat-completions', 'web_search', 'code_interpreter'),
    parallelToolCalls: members.parallelToolCalls,
    maxTokens: members.maxTokens,
    temperature: members.temperature,
    topP: members.topP,
    frequencyPenalty: members.frequencyPenalty,
    presencePenalty: members.presencePenalty,
    seed: members.seed,
    stopSequences: members.stopSequences,
    reasoning: members.reasoning,
    responseFormat: fc.oneof(
      fc.constant({ type: 'text' as const }),
      fc.constant({ type: 'jsonObject' as const }),
      fc.record({ type: fc.constant('jsonSchema' as const), name: word, schema: jsonSchema, strict: fc.boolean() }),
    ),
    verbosity: members.verbosity,
    serviceTier: members.serviceTier,
    userId: members.userId,
    metadata: members.metadata,
    stream: members.stream,
    includeUsage: members.includeUsage,
    store: members.store,
    promptCacheKey: word,
    logProbs: members.logProbs,
  },
  systemMessages: true,
  cacheHints: false,
  images: ['base64', 'url'],
  imageDetail: true,
  documents: ['base64', 'url', 'file'],
  documentNames: true,
  resultParts: ['text'],
  resultErrors: false,
  reasoning: ['text', 'signed', 'encrypted', 'both'],
  refusals: true,
  anyPartOrder: false,
  strictTools: true,
  freeFormTools: true,
  namespaces: false,
  itemIds: false,
  toolChoices: ['auto', 'none', 'required', 'tool', 'allowed'],
  finishReasons: ['stop', 'length', 'toolCalls', 'contentFilter'],
  namedStopSequence: false,
  createdAt: true,
  usage: ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'],
  idPrefix: 'chatcmpl-',
};

export const preserved = shared;

/**
 * Returns the request as the wire format expresses it: in order, files with bytes have names, and usage is only
 * requested for streams.
 */
export function asCarried(request: ChatRequest): ChatRequest {
  const { includeUsage, ...rest } = request;
  const messages = inOrder(request.messages, TURNS).map((message) =>
    message.role === 'user' ? { ...message, parts: message.parts.map(withName) } : message,
  );
  return { ...rest, messages, ...(request.stream === true && { includeUsage: includeUsage ?? true }) };
}

type UserPart = Extract<ChatRequest['messages'][number], { role: 'user' }>['parts'][number];

function withName(part: UserPart): UserPart {
  if (part.type !== 'document' || part.source.kind !== 'base64') return part;
  return { ...part, name: part.name ?? 'document.pdf' };
}
