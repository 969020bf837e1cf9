/**
 * The requests of OTLP 1.x that the gateway sends: what the official definitions and the JSON encoding require, and no
 * more.
 */
import * as z from 'zod/mini';
import { decodeOtlp } from './officialOtlp.ts';

/** `fixed64` and `int64` are strings of digits. */
const int64 = z.string().check(z.regex(/^\d+$/));
const nanos = z.string().check(z.regex(/^\d{19}$/));
const hex = (bytes: number) => z.string().check(z.regex(new RegExp(`^[\\da-f]{${bytes * 2}}$`)));

const anyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: int64 }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().check(z.minLength(1)), value: anyValue }));
const resource = z.strictObject({ attributes });
const scope = z.strictObject({ name: z.string() });

const period = { attributes, startTimeUnixNano: nanos, timeUnixNano: nanos };
const histogramPoint = z
  .strictObject({
    ...period,
    count: int64,
    sum: z.number(),
    bucketCounts: z.array(int64),
    explicitBounds: z.array(z.number()),
  })
  .check(
    z.refine(({ bucketCounts, explicitBounds }) => bucketCounts.length === explicitBounds.length + 1, 'buckets'),
    z.refine(
      ({ bucketCounts, count }) => bucketCounts.reduce((sum, each) => sum + Number(each), 0) === Number(count),
      'count',
    ),
  );
const CUMULATIVE = z.literal(2);
const described = { name: z.string(), unit: z.string(), description: z.string() };
const metric = z.union([
  z.strictObject({
    ...described,
    histogram: z.strictObject({ dataPoints: z.array(histogramPoint), aggregationTemporality: CUMULATIVE }),
  }),
  z.strictObject({
    ...described,
    sum: z.strictObject({
      dataPoints: z.array(z.strictObject({ ...period, asDouble: z.number() })),
      aggregationTemporality: CUMULATIVE,
      isMonotonic: z.literal(true),
    }),
  }),
  z.strictObject({
    ...described,
    gauge: z.strictObject({ dataPoints: z.array(z.strictObject({ attributes, timeUnixNano: nanos, asInt: int64 })) }),
  }),
]);

const metricsSchema = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({ resource, scopeMetrics: z.array(z.strictObject({ scope, metrics: z.array(metric) })) }),
  ),
});

const span = z
  .strictObject({
    traceId: hex(16),
    spanId: hex(8),
    parentSpanId: z.optional(hex(8)),
    name: z.string(),
    /** `SPAN_KIND_SERVER` and `SPAN_KIND_CLIENT`. */
    kind: z.union([z.literal(2), z.literal(3)]),
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
    attributes,
    status: z.optional(z.strictObject({ code: z.literal(2), message: z.string() })),
  })
  .check(z.refine((each) => BigInt(each.startTimeUnixNano) <= BigInt(each.endTimeUnixNano), 'ends before its start'));

const tracesSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({ resource, scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span) })) }),
  ),
});

/** @throws if the body does not match the schema. */
export function readMetrics(body: string): z.infer<typeof metricsSchema> {
  return metricsSchema.parse(decodeOtlp('metrics', body));
}

/** @throws if the body does not match the schema. */
export function readTraces(body: string): z.infer<typeof tracesSchema> {
  return tracesSchema.parse(decodeOtlp('traces', body));
}

export type Span = z.infer<typeof span>;

export function attributesOf({ attributes }: Pick<Span, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
