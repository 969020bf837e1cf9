import { defined } from '../../formats/defined.ts';
import { clientName } from '../core/clientName.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { LimitName } from '../core/keyLimits.ts';
import type { SessionIds } from '../core/requestSession.ts';
import type { Routing, UsageCount } from '../core/upstream.ts';
import type { RunningExchange } from '../traffic/protocol.ts';

type OneToOne = Omit<
  ExchangeRecord,
  | 'upstream'
  | 'upstreamModel'
  | 'dropped'
  | 'route'
  | 'usage'
  | 'usageIsEstimated'
  | 'estimateAccuracy'
  | 'answeredModel'
  | 'fallbackModels'
  | 'cacheIsAssumed'
  | 'cost'
  | 'cacheMiss'
  | 'secrets'
  | keyof SessionIds
>;

/** What an exchange knows about itself at its end. */
export type ExchangeSummary = { readonly [Name in keyof OneToOne]-?: OneToOne[Name] | undefined } & {
  readonly routing: Routing | undefined;
  readonly count: UsageCount | undefined;
  readonly session: SessionIds | undefined;
} & Pick<ExchangeRecord, 'id' | 'at' | 'callerFormat' | 'durationMs' | 'bytesIn' | 'bytesOut' | 'end'>;

export function exchangeRecord(summary: ExchangeSummary): ExchangeRecord {
  const { routing, count, session } = summary;
  return defined({
    ...summary,
    routing: undefined,
    count: undefined,
    session: undefined,
    ...session,
    ...routingFacts(routing, summary.model),
    usage: count?.usage,
    usageIsEstimated: count?.isEstimated || undefined,
    estimateAccuracy: count?.accuracy,
    cacheIsAssumed: count?.cacheIsAssumed,
    ...answeredBy(count, [summary.model, routing?.model]),
  });
}

/** Converts the summary of an exchange that has not ended. */
export function runningExchange(summary: ExchangeSummary, waitsFor?: LimitName): RunningExchange {
  const { end: _, userAgent, traceParent: __, ...rest } = exchangeRecord(summary);
  return defined({ ...rest, client: clientName(userAgent), waitsFor });
}

/** Returns the models that may have answered, unless the answer names the requested one. */
export function answeredBy(count: UsageCount | undefined, asked: readonly (string | undefined)[]) {
  const { model, fallbackModels } = count ?? {};
  if (model && asked.includes(model)) return { answeredModel: undefined, fallbackModels: undefined };
  return { answeredModel: model || undefined, fallbackModels };
}

function routingFacts(routing: Routing | undefined, askedFor: string | undefined): Partial<ExchangeRecord> {
  if (routing === undefined) return {};
  const { upstream, model, dropped = [], route } = routing;
  return {
    upstream,
    ...(model !== undefined && model !== askedFor && { upstreamModel: model }),
    ...(dropped.length > 0 && { dropped }),
    ...(route !== undefined && { route }),
  };
}
