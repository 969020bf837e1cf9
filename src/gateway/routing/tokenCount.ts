/** `/messages/count_tokens` for upstreams of every format. */
import { type ApiError, FormatError } from '../../formats/apiError.ts';
import { decodeCountTokensRequest, encodeCountTokensResponse } from '../../formats/messages/index.ts';
import { estimateRequestTokens } from '../../tokens/estimate.ts';
import { parseJsonBody, readJsonBody } from '../jsonBody.ts';
import { type CallerRequest, invalid } from './callerRequest.ts';
import type { Candidate } from './routedCall.ts';
import { askWhole, type WholeAnswer } from './wholeAnswer.ts';

const TIMEOUT_MS = 10_000;
export const ESTIMATE_HEADER = 'x-model-access-estimate';

export type TokenCount =
  | { readonly kind: 'counted'; readonly answer: WholeAnswer; readonly upstream: string }
  | { readonly kind: 'estimated'; readonly body: { readonly input_tokens: number } }
  | { readonly kind: 'refused'; readonly error: ApiError };

/** Counted by the first upstream that can, else estimated. A request that is wrong gets its error from either. */
export async function countTokens(
  caller: CallerRequest,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<TokenCount> {
  const [first] = candidates;
  if (first?.member.formats.includes('messages') && !first.member.circuit.isOpen) {
    const answer = await askWhole(first.member.upstream, caller.renamed(first.model), TIMEOUT_MS, signal);
    if (answer !== undefined && isCount(answer)) return { kind: 'counted', answer, upstream: first.member.id };
  }
  return estimate(caller);
}

/** Anything else says no more than that it does not count, or not now. */
function isCount({ status, body }: WholeAnswer): boolean {
  if (status === 400 || status === 401 || status === 403) return true;
  const count = status === 200 ? parseJsonBody(body) : undefined;
  if (typeof count !== 'object' || count === null || !('input_tokens' in count)) return false;
  return typeof count.input_tokens === 'number' && count.input_tokens > 0;
}

function estimate({ original }: CallerRequest): TokenCount {
  try {
    const body = readJsonBody(original.body ?? new Uint8Array());
    const tokens = Math.max(1, estimateRequestTokens(decodeCountTokensRequest(body)));
    return { kind: 'estimated', body: encodeCountTokensResponse(tokens) as { input_tokens: number } };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { kind: 'refused', error: invalid(error.message, error.path) };
  }
}
