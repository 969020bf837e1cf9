/** Metrics in the text format of Prometheus, version 0.0.4. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Attributes } from './exchangeAttributes.ts';
import { METRICS, type MetricId } from './names.ts';
import { boundsOf, type MetricSeries, type SeriesStore } from './series.ts';

const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Values that are measured when metrics are exported. */
export type Gauges = Readonly<Record<'active' | 'queued', number>>;

export function prometheusText(store: SeriesStore, gauges: Gauges): string {
  return (Object.keys(METRICS) as MetricId[]).map((id) => family(id, store, gauges)).join('');
}

/** The name of a metric in Prometheus, such as `gen_ai_client_operation_duration_seconds`. */
function prometheusName(id: MetricId): string {
  const { name, suffix } = METRICS[id];
  return name.replaceAll('.', '_') + suffix;
}

function family(id: MetricId, store: SeriesStore, gauges: Gauges): string {
  const { kind, description } = METRICS[id];
  const name = prometheusName(id);
  const lines =
    id === 'active' || id === 'queued'
      ? [`${name} ${gauges[id]}`]
      : store.of(id).flatMap((series) => samples(id, series));
  return [`# HELP ${name} ${description}`, `# TYPE ${name} ${kind}`, ...lines, ''].join('\n');
}

function samples(id: MetricId, { attributes, sum, count, buckets }: MetricSeries): string[] {
  const name = prometheusName(id);
  const labels = labelsOf(attributes);
  if (METRICS[id].kind === 'counter') return [`${name}${braced(labels)} ${sum}`];
  let upTo = 0;
  const counts = [...boundsOf(id), '+Inf'].map((bound, place) => {
    upTo += buckets[place] ?? 0;
    return `${name}_bucket${braced([...labels, `le="${bound}"`])} ${upTo}`;
  });
  return [...counts, `${name}_sum${braced(labels)} ${sum}`, `${name}_count${braced(labels)} ${count}`];
}

function labelsOf(attributes: Attributes): string[] {
  return Object.entries(attributes).map(([name, value]) => `${name.replaceAll('.', '_')}="${escaped(String(value))}"`);
}

function braced(labels: readonly string[]): string {
  return labels.length === 0 ? '' : `{${labels.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

const PATH = '/metrics';
const BEARER = /^bearer +(\S+) *$/i;

/**
 * Answers `GET /metrics` for requests with its own key. Local keys do not grant access to the page, and its key grants
 * access to nothing else.
 * @returns a function that returns whether a request was for the page.
 */
export function metricsPage(key: string, text: () => string) {
  const expected = digestOf(key);
  return (request: IncomingMessage, response: ServerResponse, onRefused: (reason: string) => void): boolean => {
    const { url = '', method, headers } = request;
    if (url.replace(/\?.*/, '') !== PATH) return false;
    const given = BEARER.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digestOf(given), expected)) {
      onRefused('no key for the metrics');
      refuse(response, 401, { 'www-authenticate': 'Bearer' });
    } else if (method !== 'GET') refuse(response, 405, { allow: 'GET' });
    else response.writeHead(200, { 'content-type': PROMETHEUS_TYPE }).end(text());
    request.resume();
    return true;
  };
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, { ...headers, connection: 'close' }).end();
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
