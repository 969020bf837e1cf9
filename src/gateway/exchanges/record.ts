import { clientName } from '../ledger/client.ts';
import type { RunningExchange } from '../traffic/protocol.ts';
import type { Routing, UsageCount } from '../upstreams/upstream.ts';
import type { ExchangeRecord } from './exchangeRecord.ts';

export type { ExchangeEnd, ExchangeRecord } from './exchangeRecord.ts';

type OneToOne = Omit<ExchangeRecord, 'upstream' | 'upstreamModel' | 'dropped' | 'usage' | 'usageIsEstimated' | 'cost'>;

/** What an exchange knows of itself at its end. */
export type ExchangeSummary = { readonly [Name in keyof OneToOne]-?: OneToOne[Name] | undefined } & {
  readonly routing: Routing | undefined;
  readonly count: UsageCount | undefined;
} & Pick<ExchangeRecord, 'id' | 'at' | 'format' | 'durationMs' | 'bytesIn' | 'bytesOut' | 'end'>;

export function exchangeRecord({ routing, count, ...summary }: ExchangeSummary): ExchangeRecord {
  const { localKeyId, userAgent, endpoint, model, upstreamFormat, status, queueMs, firstByteMs, ...rest } = summary;
  return {
    ...rest,
    ...(localKeyId !== undefined && { localKeyId }),
    ...(userAgent !== undefined && { userAgent }),
    ...(endpoint !== undefined && { endpoint }),
    ...(model !== undefined && { model }),
    ...routingFacts(routing, model),
    ...(upstreamFormat !== undefined && { upstreamFormat }),
    ...(status !== undefined && { status }),
    ...(queueMs !== undefined && { queueMs }),
    ...(firstByteMs !== undefined && { firstByteMs }),
    ...(count !== undefined && { usage: count.usage }),
    ...(count?.isEstimated && { usageIsEstimated: true }),
  };
}

/** One that has not ended: what is known of it so far. */
export function runningExchange(summary: ExchangeSummary): RunningExchange {
  const { end: _, userAgent, ...rest } = exchangeRecord(summary);
  const client = clientName(userAgent);
  return { ...rest, ...(client !== undefined && { client }) };
}

function routingFacts(routing: Routing | undefined, askedFor: string | undefined): Partial<ExchangeRecord> {
  if (routing === undefined) return {};
  const { upstream, model, dropped = [] } = routing;
  return {
    upstream,
    ...(model !== undefined && model !== askedFor && { upstreamModel: model }),
    ...(dropped.length > 0 && { dropped }),
  };
}
