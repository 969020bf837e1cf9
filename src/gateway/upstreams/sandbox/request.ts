/** Reads the body of a request, and refuses what the model does not support. */
import type { ChatRequest } from '../../../formats/conversation.ts';
import { CONTINUED_THREAD, decodeCountTokensRequest, LOST_THREAD } from '../../../formats/messages/index.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import { checkLimits } from '../../core/requestLimits.ts';
import { readJsonBody } from '../../http/jsonBody.ts';
import type { SandboxModel } from './catalog.ts';
import { mediaOf } from './media.ts';
import { checkSeals } from './reasoning.ts';
import { fromFormatError, invalid, RequestError } from './requestError.ts';

/** @throws {RequestError} with the name of the invalid field. */
export function readRequest(format: WireFormat, body: Uint8Array | undefined): ChatRequest {
  return decoded(() => format.decodeRequest(readJson(body)));
}

/** @throws {RequestError} with the name of the invalid field. */
export function readCountRequest(body: Uint8Array | undefined): ChatRequest {
  return decoded(() => decodeCountTokensRequest(readJson(body)));
}

/** @throws {RequestError} if the request is well-formed but the model cannot serve it. */
export function checkRequest(request: ChatRequest, model: SandboxModel, inputTokens: number): void {
  if (request.dropped?.includes(CONTINUED_THREAD)) throw new RequestError(LOST_THREAD);
  if (request.messages.length === 0 && request.system.length === 0)
    throw invalid('There must be at least one message.');
  if (request.maxTokens !== undefined && request.maxTokens < 1) throw invalid('The token limit must be at least 1.');
  if (!model.capabilities.images && mediaOf(request).some(({ type }) => type === 'image')) {
    throw invalid(`The model ${model.id} cannot read images. GET /models says which models can.`);
  }
  checkSeals(request);
  if (inputTokens > model.contextWindow) {
    const message = `The prompt is too long: ${inputTokens} tokens > ${model.contextWindow} maximum.`;
    throw invalid(message, undefined, 'context_length_exceeded');
  }
}

function readJson(body: Uint8Array | undefined): unknown {
  if (body === undefined || body.length === 0) throw invalid('The request has no body; it must be JSON.');
  return readJsonBody(body);
}

function decoded(decode: () => ChatRequest): ChatRequest {
  try {
    const request = decode();
    checkLimits(request);
    return request;
  } catch (error) {
    throw fromFormatError(error);
  }
}
