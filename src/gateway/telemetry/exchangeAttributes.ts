import type { ExchangeEnd } from '../../rules/exchange.ts';
import type { Endpoint } from '../core/endpoint.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { ATTRIBUTE, type AttributeName, CHAT } from './names.ts';

export type Attributes = Readonly<Partial<Record<AttributeName, string | number | boolean>>>;

const ANSWERING: ReadonlySet<Endpoint | undefined> = new Set([
  '/chat/completions',
  '/messages',
  '/responses',
  '/responses/compact',
]);

export function isAnswer({ endpoint }: ExchangeRecord): boolean {
  return ANSWERING.has(endpoint);
}

/**
 * Returns the attributes by which metrics are broken down. The number of series is limited, because callers choose some
 * values freely.
 */
export function metricAttributes(record: ExchangeRecord): Attributes {
  const { upstream, model, localKeyId } = record;
  const answered = answeredModel(record);
  const error = errorType(record);
  return {
    [ATTRIBUTE.operation]: CHAT,
    ...(upstream !== undefined && { [ATTRIBUTE.provider]: upstream }),
    ...(model !== undefined && { [ATTRIBUTE.requestModel]: model }),
    ...(answered !== undefined && { [ATTRIBUTE.responseModel]: answered }),
    ...(localKeyId !== undefined && { [ATTRIBUTE.localKey]: localKeyId }),
    ...(error !== undefined && { [ATTRIBUTE.errorType]: error }),
  };
}

/** Returns the attributes of one exchange, which contain nothing of its content. */
export function spanAttributes(record: ExchangeRecord): Attributes {
  const { usage, cost, status, callerFormat, upstreamFormat, sessionId, usageIsEstimated, secrets, end } = record;
  return {
    ...metricAttributes(record),
    ...(sessionId !== undefined && { [ATTRIBUTE.conversation]: sessionId }),
    ...(status !== undefined && { [ATTRIBUTE.status]: status }),
    [ATTRIBUTE.callerFormat]: callerFormat,
    ...(upstreamFormat !== undefined && { [ATTRIBUTE.upstreamFormat]: upstreamFormat }),
    ...(usage !== undefined && {
      [ATTRIBUTE.inputTokens]: usage.inputTokens,
      [ATTRIBUTE.outputTokens]: usage.outputTokens,
    }),
    ...(usage?.cachedInputTokens !== undefined && { [ATTRIBUTE.cacheReadTokens]: usage.cachedInputTokens }),
    ...(usage?.cacheWriteTokens !== undefined && { [ATTRIBUTE.cacheCreationTokens]: usage.cacheWriteTokens }),
    ...(usageIsEstimated && { [ATTRIBUTE.isEstimated]: true }),
    ...(cost !== undefined && { [ATTRIBUTE.cost]: cost }),
    ...(secrets !== undefined && { [ATTRIBUTE.secrets]: secrets.join() }),
    [ATTRIBUTE.end]: END_WORD[end],
  };
}

function answeredModel({ answeredModel: named, upstreamModel, model, upstream }: ExchangeRecord): string | undefined {
  return named ?? upstreamModel ?? (upstream === undefined ? undefined : model);
}

/** @returns undefined if the exchange succeeded. */
export function errorType({ status, end }: Pick<ExchangeRecord, 'status' | 'end'>): string | undefined {
  if (status !== undefined && status >= 400) return String(status);
  return end === 'completed' ? undefined : END_WORD[end];
}

export const END_WORD: Readonly<Record<ExchangeEnd, string>> = {
  completed: 'completed',
  clientLeft: 'client_left',
  upstreamFailed: 'upstream_failed',
  refused: 'refused',
  budget: 'budget',
  cancelled: 'cancelled',
  lost: 'lost',
};
