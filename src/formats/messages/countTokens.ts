/** `/messages/count_tokens`: the prompt of a request in, its size in tokens out. Requests are in `request.ts`. */
import { check } from '../check.ts';
import type { CountTokensResponse } from './schema.ts';
import { countTokensResponse } from './schema.ts';

/**
 * The number of input tokens.
 * @throws {FormatError} naming the field that does not fit.
 */
export function decodeCountTokensResponse(body: unknown): number {
  return check(countTokensResponse, body).input_tokens;
}

export function encodeCountTokensResponse(inputTokens: number): CountTokensResponse {
  return { input_tokens: inputTokens };
}
