import { defined } from '../../formats/json.ts';
import type { SessionIds } from '../../ledger/ledgerEntry.ts';
import { clientName } from '../core/clientName.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { LimitName } from '../core/keyLimits.ts';
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
  | 'usageBound'
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

/** Returns the record without members for what is not known. Called for each exchange, so it only adds members. */
export function exchangeRecord(summary: ExchangeSummary): ExchangeRecord {
  const { id, at, callerFormat, durationMs, bytesIn, bytesOut, end, routing, count, session } = summary;
  const record: KnownSoFar = { id, at, callerFormat, durationMs, bytesIn, bytesOut, end };
  for (const name of OPTIONAL) if (summary[name] !== undefined) record[name] = summary[name];
  if (session !== undefined) Object.assign(record, session);
  if (routing !== undefined) addRouting(record, routing);
  if (count !== undefined) addCount(record, count, summary);
  return record as unknown as ExchangeRecord;
}

/** A record while it is built. */
type KnownSoFar = Record<string, unknown> & Pick<ExchangeRecord, 'id'>;

/** What a summary and a record have in common, if it is known. */
const OPTIONAL = [
  'localKeyId',
  'userAgent',
  'traceParent',
  'endpoint',
  'model',
  'upstreamFormat',
  'status',
  'queueMs',
  'firstByteMs',
  'attempts',
  'agentType',
  'toolMs',
  'repository',
  'branch',
  'upstreamMissReason',
] as const;

function addRouting(record: KnownSoFar, { upstream, model, dropped = [], route }: Routing): void {
  record.upstream = upstream;
  if (model !== undefined && model !== record.model) record.upstreamModel = model;
  if (dropped.length > 0) record.dropped = dropped;
  if (route !== undefined) record.route = route;
}

function addCount(record: KnownSoFar, count: UsageCount, { model, routing }: ExchangeSummary): void {
  record.usage = count.usage;
  record.usageBound = count.bound ?? 'reported';
  if (count.isEstimated) record.usageIsEstimated = true;
  if (count.accuracy !== undefined) record.estimateAccuracy = count.accuracy;
  if (count.cacheIsAssumed) record.cacheIsAssumed = true;
  if (count.model !== undefined && (count.model === model || count.model === routing?.model)) return;
  if (count.model) record.answeredModel = count.model;
  if (count.fallbackModels !== undefined) record.fallbackModels = count.fallbackModels;
}

/** Converts the summary of an exchange that has not ended. */
export function runningExchange(summary: ExchangeSummary, waitsFor?: LimitName): RunningExchange {
  const { end: _, userAgent, traceParent: __, repository: ___, branch: ____, ...rest } = exchangeRecord(summary);
  return defined({ ...rest, client: clientName(userAgent), waitsFor });
}

/** Returns the models that may have answered, unless the answer names the requested one. */
export function answeredBy(count: UsageCount | undefined, asked: readonly (string | undefined)[]) {
  const { model, fallbackModels } = count ?? {};
  if (model && asked.includes(model)) return { answeredModel: undefined, fallbackModels: undefined };
  return { answeredModel: model || undefined, fallbackModels };
}
