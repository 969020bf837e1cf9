/** Reads the body of a request, and refuses what the model does not support. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ChatRequest } from '../../../formats/conversation.ts';
import {
  CONTINUED_THREAD,
  decodeCountTokensRequest,
  isKnownVersion,
  LOST_THREAD,
  namedVersion,
  refusedMember,
} from '../../../formats/messages/index.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { SandboxModel } from '../../../sandbox/catalog.ts';
import { mediaOf } from '../../../sandbox/media.ts';
import { checkSeals } from '../../../sandbox/reasoning.ts';
import { fromFormatError, invalid, RequestError } from '../../../sandbox/requestError.ts';
import { checkLimits } from '../../core/requestLimits.ts';
import type { UpstreamRequest } from '../../core/upstream.ts';
import { readJsonBody } from '../../http/jsonBody.ts';

/** @throws {RequestError} naming the field that does not fit. */
export function readRequest(format: WireFormat, readBody: () => unknown, headers: IncomingHttpHeaders): ChatRequest {
  const read = format.name === 'messages' ? () => inItsVersion(readBody(), headers) : readBody;
  return decoded(() => format.decodeRequest(read()));
}

/** @throws {RequestError} naming the field that does not fit. */
export function readCountRequest(readBody: () => unknown, headers: IncomingHttpHeaders): ChatRequest {
  return decoded(() => decodeCountTokensRequest(inItsVersion(readBody(), headers)));
}

/**
 * Returns the body if the version of the messages format that the headers name accepts it.
 * @throws {RequestError} with the messages of the vendor's service.
 */
function inItsVersion(body: unknown, headers: IncomingHttpHeaders): unknown {
  const version = namedVersion(headers);
  if (version !== undefined && !isKnownVersion(version)) {
    throw invalid(`anthropic-version: "${version}" is not a valid version`);
  }
  const refused = refusedMember(body, version);
  if (refused !== undefined) throw invalid(`${refused.path}: ${refused.problem}`, refused.path);
  return body;
}

/** @throws {RequestError} if the request is well-formed but the model cannot serve it. */
export function checkRequest(request: ChatRequest, model: SandboxModel, inputTokens: number): void {
  if (request.dropped?.includes(CONTINUED_THREAD)) throw new RequestError(LOST_THREAD);
  if (request.messages.length === 0 && request.system.length === 0)
    throw invalid('There must be at least one message.');
  if (request.maxTokens !== undefined && request.maxTokens < 1) throw invalid('The token limit must be at least 1.');
  if (!model.capabilities.images && mediaOf(request).some(({ type }) => type === 'image')) {
    throw invalid(`The model ${model.id} cannot read images. GET /models lists the capabilities of each model.`);
  }
  checkSeals(request);
  if (inputTokens > model.contextWindow) {
    const message = `The prompt is too long: ${inputTokens} tokens > ${model.contextWindow} maximum.`;
    throw invalid(message, undefined, 'context_length_exceeded');
  }
}

/** @throws an error that says why the body cannot be read. */
export function readJson({ body, json }: UpstreamRequest): unknown {
  if (json !== undefined) return json;
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
