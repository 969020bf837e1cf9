/** The standard environment variables of OpenTelemetry that apply to OTLP over HTTP. */
import { defined } from '../../formats/json.ts';
import { decodeSegment } from '../core/route.ts';
import type { Resource } from './otlp.ts';

export interface OtlpSettings {
  /** Undefined if traces are not sent. */
  readonly tracesUrl?: string;
  readonly metricsUrl?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Resource;
  /** Milliseconds between two exports. */
  readonly tracesIntervalMs: number;
  readonly metricsIntervalMs: number;
  readonly timeoutMs: number;
}

const SERVICE_NAME = 'model-access-gateway';

/**
 * @returns undefined if nothing is sent.
 * @throws {TypeError} if an address is invalid or a protocol is not supported.
 */
export function readOtlpSettings(environment: NodeJS.ProcessEnv): OtlpSettings | undefined {
  const of = (name: string) => environment[`OTEL_${name}`]?.trim() || undefined;
  if (of('SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const endpoint = of('EXPORTER_OTLP_ENDPOINT');
  const urlOf = (kind: 'TRACES' | 'METRICS') => {
    if (of(`${kind}_EXPORTER`) === 'none') return undefined;
    const own = of(`EXPORTER_OTLP_${kind}_ENDPOINT`);
    const url = own ?? (endpoint && `${endpoint.replace(/\/+$/, '')}/v1/${kind.toLowerCase()}`);
    return url && checkedUrl(url);
  };
  const [tracesUrl, metricsUrl] = [urlOf('TRACES'), urlOf('METRICS')];
  if (tracesUrl === undefined && metricsUrl === undefined) return undefined;
  const protocol = of('EXPORTER_OTLP_PROTOCOL');
  if (protocol !== undefined && protocol !== 'http/json') {
    throw new TypeError(`OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, but the gateway supports only http/json.`);
  }
  return {
    ...defined({ tracesUrl, metricsUrl }),
    headers: readPairs(of('EXPORTER_OTLP_HEADERS')),
    resource: {
      'service.name': SERVICE_NAME,
      ...readPairs(of('RESOURCE_ATTRIBUTES')),
      ...(of('SERVICE_NAME') !== undefined && { 'service.name': of('SERVICE_NAME') ?? '' }),
    },
    tracesIntervalMs: readMs(of('BSP_SCHEDULE_DELAY'), 5_000),
    metricsIntervalMs: readMs(of('METRIC_EXPORT_INTERVAL'), 60_000),
    timeoutMs: readMs(of('EXPORTER_OTLP_TIMEOUT'), 10_000),
  };
}

function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError(`"${text}" is not an OTLP endpoint.`);
  return url.href;
}

/** `a=b,c=d`, with percent-encoded values as in a URL. */
function readPairs(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 ? [[pair.slice(0, at).trim(), decodeSegment(pair.slice(at + 1).trim())] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function readMs(text: string | undefined, usual: number): number {
  const ms = Number(text);
  return text !== undefined && ms > 0 && Number.isFinite(ms) ? ms : usual;
}
