import type { ApiError } from '../../formats/apiError.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { wireFormats } from '../../formats/index.ts';
import { decodeCountTokensRequest } from '../../formats/messages/index.ts';
import { familyOf } from '../../tokens/modelFamily.ts';
import { measurePrompt, type PromptSize } from '../../tokens/promptSize.ts';
import { invalidOf } from '../core/callerRequest.ts';
import { callerFormat } from '../core/route.ts';
import type { Endpoint } from '../core/upstream.ts';
import { readJsonBody } from '../http/jsonBody.ts';

export interface SizeQuestion {
  readonly endpoint: Endpoint;
  /** Determines by which rules tools and images count. */
  readonly model: string;
  readonly body: Buffer;
}

export interface BodySize extends Omit<PromptSize, 'parts'> {
  /** False if the model reads more: an answer that the upstream stores, or results of the upstream's tools. */
  readonly isWhole: boolean;
}

export function sizeOfBody(question: SizeQuestion, countText: (text: string) => number): BodySize | ApiError {
  try {
    const request = decode(question.endpoint, readJsonBody(question.body));
    const size = measurePrompt(request, { ...familyOf(question.model), countText });
    const { text, fixed, isPlain } = size;
    const { previousResponseId, hostedTools = [] } = request;
    return { text, fixed, isPlain, isWhole: previousResponseId === undefined && hostedTools.length === 0 };
  } catch (error) {
    return invalidOf(error);
  }
}

function decode(endpoint: Endpoint, body: unknown): ChatRequest {
  if (endpoint === '/messages/count_tokens') return decodeCountTokensRequest(body);
  return wireFormats[callerFormat(endpoint, {})].decodeRequest(body);
}
