/**
 * OpenTelemetry's own definitions of OTLP (opentelemetry-proto), compiled to JavaScript by OpenTelemetry. A collector
 * would silently drop what is not in them.
 */
import assert from 'node:assert/strict';
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';

interface MessageType {
  fromObject(value: object): object;
  toObject(message: object, options: { readonly longs: typeof String; readonly bytes: typeof String }): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}

/** The package has no type declarations for them. */
interface Definitions {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly trace: { readonly v1: { readonly ExportTraceServiceRequest: MessageType } };
        readonly metrics: { readonly v1: { readonly ExportMetricsServiceRequest: MessageType } };
      };
    };
  };
}

const { trace, metrics } = (root as unknown as Definitions).opentelemetry.proto.collector;
const TYPES = {
  traces: trace.v1.ExportTraceServiceRequest,
  metrics: metrics.v1.ExportMetricsServiceRequest,
};
/** The JSON encoding of OTLP has these as hexadecimal digits, and all other bytes in base64. */
const IDS: ReadonlySet<string> = new Set(['traceId', 'spanId', 'parentSpanId']);

/**
 * Returns a request as a collector reads it, encoded and decoded with the definitions.
 * @throws if a member is not in them, or has another type.
 */
export function decodeOtlp(kind: keyof typeof TYPES, text: string): unknown {
  const type = TYPES[kind];
  const sent = JSON.parse(text, (name, value) =>
    IDS.has(name) ? Buffer.from(value, 'hex').toString('base64') : value,
  );
  const bytes = type.encode(type.fromObject(sent)).finish();
  const received = type.toObject(type.decode(bytes), { longs: String, bytes: String });
  assert.deepEqual(withoutEmptyLists(received), withoutEmptyLists(sent));
  return JSON.parse(text);
}

/** Removes empty lists, which are equivalent to absent ones. */
function withoutEmptyLists(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, member) =>
    Array.isArray(member) && member.length === 0 ? undefined : member,
  );
}
