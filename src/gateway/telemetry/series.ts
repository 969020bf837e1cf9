import type { Attributes } from './exchangeAttributes.ts';
import { ATTRIBUTE, METRICS, type MetricId } from './names.ts';

/** Of each metric. Callers choose names of models, and memory must not grow with them. */
const MAX_SERIES = 2_000;
const OVERFLOW: Attributes = { [ATTRIBUTE.overflow]: true };

/** One combination of attributes since the start. */
export interface Series {
  readonly attributes: Attributes;
  sum: number;
  /** Of a histogram: how many values there were, and how many in each bucket, the last one being without a bound. */
  count: number;
  readonly buckets: number[];
}

/** The values of all metrics since the start, in memory. */
export class SeriesStore {
  readonly #series = new Map<MetricId, Map<string, Series>>();

  add(id: MetricId, value: number, attributes: Attributes): void {
    const series = this.#find(id, attributes);
    series.sum += value;
    series.count += 1;
    const bounds = boundsOf(id);
    const place = bounds.findIndex((bound) => value <= bound);
    const at = place === -1 ? bounds.length : place;
    series.buckets[at] = (series.buckets[at] ?? 0) + 1;
  }

  of(id: MetricId): readonly Series[] {
    return [...(this.#series.get(id)?.values() ?? [])];
  }

  #find(id: MetricId, attributes: Attributes): Series {
    const all = this.#series.get(id) ?? new Map<string, Series>();
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
