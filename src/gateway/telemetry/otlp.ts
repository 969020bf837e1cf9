/** Metrics and spans in the JSON encoding of OTLP, in which 64-bit integers are strings and IDs are hexadecimal. */
import { randomBytes } from 'node:crypto';
import { MIN_FAILED_STATUS } from '../../rules/exchange.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { type Attributes, errorType, spanAttributes } from './exchangeAttributes.ts';
import { CHAT, METRICS, type MetricId } from './names.ts';
import type { Gauges } from './prometheus.ts';
import { boundsOf, type MetricSeries, type SeriesStore } from './series.ts';

const CUMULATIVE = 2;
const SERVER = 2;
const CLIENT = 3;
const STATUS_ERROR = 2;

export type Resource = Readonly<Record<string, string>>;

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}

const SCOPE = { name: 'model-access-gateway' };

function keyValues(attributes: Attributes | Resource) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: asValue(value) }));
}

function asValue(value: string | number | boolean): OtlpValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** @param ms milliseconds since the epoch. */
function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

interface Period {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

export function metricsRequest(store: SeriesStore, gauges: Gauges, resource: Resource, period: Period) {
  const metrics = (Object.keys(METRICS) as MetricId[]).map((id) => {
    const { name, unit, description } = METRICS[id];
    return { name, unit, description, ...dataOf(id, store, gauges, period) };
  });
  return { resourceMetrics: [{ resource: resourceOf(resource), scopeMetrics: [{ scope: SCOPE, metrics }] }] };
}

function dataOf(id: MetricId, store: SeriesStore, gauges: Gauges, period: Period) {
  const times = { startTimeUnixNano: nanos(period.from), timeUnixNano: nanos(period.to) };
  if (id === 'active' || id === 'queued') {
    const point = { attributes: [], timeUnixNano: times.timeUnixNano, asInt: String(gauges[id]) };
    return { gauge: { dataPoints: [point] } };
  }
  const points = store
    .of(id)
    .map((series) => ({ attributes: keyValues(series.attributes), ...times, ...pointOf(id, series) }));
  return METRICS[id].kind === 'counter'
    ? { sum: { dataPoints: points, aggregationTemporality: CUMULATIVE, isMonotonic: true } }
    : { histogram: { dataPoints: points, aggregationTemporality: CUMULATIVE } };
}

function pointOf(id: MetricId, { sum, count, buckets }: MetricSeries) {
  if (METRICS[id].kind === 'counter') return { asDouble: sum };
  return { count: String(count), sum, bucketCounts: buckets.map(String), explicitBounds: boundsOf(id) };
}

/** Returns the spans of an exchange: the request to the gateway and, inside it, the one to the upstream. */
export function spansOf(record: ExchangeRecord): object[] {
  const parent = readTraceParent(record.traceParent);
  if (parent?.isSampled === false) return [];
  const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
  const server = {
    traceId,
    spanId: newSpanId(),
    ...(parent !== undefined && { parentSpanId: parent.spanId }),
    kind: SERVER,
    ...describe(record, record.at),
  };
  if (record.queueMs === undefined) return [server];
  const client = {
    traceId,
    spanId: newSpanId(),
    parentSpanId: server.spanId,
    kind: CLIENT,
    ...describe(record, record.at + record.queueMs),
  };
  return [server, client];
}

function describe(record: ExchangeRecord, from: number) {
  const { model, at, durationMs, status = 0 } = record;
  const error = errorType(record);
  const isFailed = error !== undefined && (status >= MIN_FAILED_STATUS || record.end === 'upstreamFailed');
  return {
    name: model === undefined ? CHAT : `${CHAT} ${model}`,
    startTimeUnixNano: nanos(from),
    endTimeUnixNano: nanos(at + durationMs),
    attributes: keyValues(spanAttributes(record)),
    ...(isFailed && { status: { code: STATUS_ERROR, message: error } }),
  };
}

export function tracesRequest(spans: readonly object[], resource: Resource) {
  return { resourceSpans: [{ resource: resourceOf(resource), scopeSpans: [{ scope: SCOPE, spans }] }] };
}

function resourceOf(resource: Resource) {
  return { attributes: keyValues(resource) };
}

const TRACE_PARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** Parses the W3C header `traceparent`. Returns `undefined` if it is missing or invalid. */
function readTraceParent(header: string | undefined) {
  const [, traceId = '', spanId = '', flags = ''] = TRACE_PARENT.exec(header ?? '') ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

function newSpanId(): string {
  return randomBytes(8).toString('hex');
}
