/** `/messages/count_tokens` for upstreams of all formats. */

import type { CallerRequest } from '../core/callerRequest.ts';
import { answerLater, sendApiError, sendJson } from '../core/gatewayAnswer.ts';
import type { AnswerSink, Upstream, UpstreamCall } from '../core/upstream.ts';
import { askWhole, type WholeAnswer } from '../core/wholeAnswer.ts';
import type { TokenCounter } from '../counting/tokenCounter.ts';
import { parseJsonBody } from '../http/jsonBody.ts';
import { withoutSealedReasoning } from '../translation/ownReasoning.ts';
import { RefusedKeySink } from './refusedKey.ts';

const TIMEOUT_MS = 10_000;
/** `exact`, or `estimated; factor=1.20`. Not sent if the upstream has counted. */
const ESTIMATE_HEADER = 'x-model-access-estimate';

/** The upstream that would answer the request whose tokens are counted. */
export interface CountPlace {
  readonly upstream: Upstream;
  /** False if the upstream has another format or is unavailable. */
  readonly isAvailable: boolean;
  /** The upstream's name for the model. */
  readonly model: string;
}

/**
 * Counts tokens with the upstream if possible, otherwise in the gateway. Both return an error for an invalid request.
 * The upstream's response does not affect its health.
 */
export function answerCount(
  caller: CallerRequest,
  place: CountPlace,
  counter: TokenCounter,
  sink: AnswerSink,
): UpstreamCall {
  return answerLater(sink, async (signal) => {
    const answer = place.isAvailable ? await ask(caller, place, signal) : undefined;
    if (answer !== undefined) {
      const { id } = place.upstream;
      return () => passOn(answer, id, new RefusedKeySink(caller.original, id, sink));
    }
    const { endpoint, body = Buffer.alloc(0) } = caller.original;
    const count = await counter.count({ upstream: place.upstream.id, model: place.model, endpoint, body });
    if ('kind' in count) return () => sendApiError(sink, caller.format, count);
    const how = count.isExact ? 'exact' : `estimated; factor=${count.factor.toFixed(2)}`;
    return () => sendJson(sink, 200, { input_tokens: count.tokens }, { [ESTIMATE_HEADER]: how });
  });
}

async function ask(
  caller: CallerRequest,
  { upstream, model }: CountPlace,
  signal: AbortSignal,
): Promise<WholeAnswer | undefined> {
  const request = withoutSealedReasoning(caller.renamed(model));
  const answer = await askWhole(upstream, request, TIMEOUT_MS, signal);
  return answer !== undefined && (REFUSALS.has(answer.status) || isCount(answer)) ? answer : undefined;
}

/** The request or its key is invalid. Other errors only mean that the upstream cannot count, at least at the moment. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 402, 403, 413, 422]);

/** Some upstreams return 0 if they cannot count. */
function isCount({ status, body }: WholeAnswer): boolean {
  const count = status === 200 ? parseJsonBody(body) : undefined;
  if (typeof count !== 'object' || count === null || !('input_tokens' in count)) return false;
  return typeof count.input_tokens === 'number' && count.input_tokens > 0;
}

function passOn({ status, headers, raw }: WholeAnswer, upstream: string, sink: AnswerSink): void {
  sink.routed?.({ upstream, format: 'messages' });
  sink.start(status, headers);
  sink.data(raw);
  sink.end();
}
