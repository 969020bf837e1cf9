/**
 * Encodes and decodes `/messages/count_tokens`, which takes the prompt of a request and returns its tokens. Requests
 * are in `request.ts`.
 */
import { check } from '../check.ts';
import type { CountTokensResponse } from './schema.ts';
import { countTokensResponse } from './schema.ts';

/**
 * Returns the number of input tokens.
 * @throws {FormatError} with the name of the invalid field.
 */
export function decodeCountTokensResponse(body: unknown): number {
  return check(countTokensResponse, body).input_tokens;
}

export function encodeCountTokensResponse(inputTokens: number): CountTokensResponse {
  return { input_tokens: inputTokens };
}
