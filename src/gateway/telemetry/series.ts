import type { Attributes } from './exchangeAttributes.ts';
import { ATTRIBUTE, METRICS, type MetricId } from './names.ts';

/**
 * Maximum number of series of each metric. Callers choose the names of models, which must not make memory grow without
 * limit.
 */
const MAX_SERIES = 2_000;
const OVERFLOW: Attributes = { [ATTRIBUTE.overflow]: true };

/** The values of a metric since the start, for one combination of attributes. */
export interface MetricSeries {
  readonly attributes: Attributes;
  sum: number;
  /** Number of values, and for histograms the number in each bucket. The last bucket has no upper bound. */
  count: number;
  readonly buckets: number[];
}

/** The values of all metrics since the start, in memory. */
export class SeriesStore {
  readonly #series = new Map<MetricId, Map<string, MetricSeries>>();

  add(id: MetricId, value: number, attributes: Attributes): void {
    const series = this.#find(id, attributes);
    series.sum += value;
    series.count += 1;
    const bounds = boundsOf(id);
    const place = bounds.findIndex((bound) => value <= bound);
    const at = place === -1 ? bounds.length : place;
    series.buckets[at] = (series.buckets[at] ?? 0) + 1;
  }

  of(id: MetricId): readonly MetricSeries[] {
    return [...(this.#series.get(id)?.values() ?? [])];
  }

  #find(id: MetricId, attributes: Attributes): MetricSeries {
    const all = this.#series.get(id) ?? new Map<string, MetricSeries>();
    this.#series.set(id, all);
    const key = JSON.stringify(attributes);
    const known = all.get(key);
    if (known !== undefined) return known;
    if (all.size >= MAX_SERIES && attributes !== OVERFLOW) return this.#find(id, OVERFLOW);
    const series = { attributes, sum: 0, count: 0, buckets: Array(boundsOf(id).length + 1).fill(0) };
    all.set(key, series);
    return series;
  }
}

export function boundsOf(id: MetricId): readonly number[] {
  const metric = METRICS[id];
  return 'bounds' in metric ? metric.bounds : [];
}
