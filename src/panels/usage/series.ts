import type { UsageModel } from '../../pages/usage/protocol.ts';

/** Number of models with a color of their own; all others share one. */
const MAX_SERIES = 5;

/** One part of a stack, with the CSS class of its color. */
export interface ChartSeries {
  /** The model; undefined for all others together. */
  readonly model: string | undefined;
  readonly color: string;
}

/** Assigns colors to the most expensive models. A model keeps its color when the period changes. */
export class SeriesColors {
  readonly #places = new Map<string, number>();

  /** @param models most expensive first. */
  of(models: readonly Pick<UsageModel, 'name'>[]): ChartSeries[] {
    const shown = models.slice(0, MAX_SERIES).map(({ name }) => name);
    const taken = new Set(shown.flatMap((name) => this.#places.get(name) ?? []));
    const free = Array.from({ length: MAX_SERIES }, (_, place) => place).filter((place) => !taken.has(place));
    const used = new Set<number>();
    for (const name of shown) {
      const known = this.#places.get(name);
      // Two models that were never shown together may have had the same color.
      const place = known !== undefined && !used.has(known) ? known : (free.shift() ?? 0);
      used.add(place);
      this.#places.set(name, place);
    }
    const series: ChartSeries[] = shown.map((model) => ({ model, color: `series-${this.#places.get(model) ?? 0}` }));
    return models.length > MAX_SERIES ? [...series, { model: undefined, color: 'series-others' }] : series;
  }
}
