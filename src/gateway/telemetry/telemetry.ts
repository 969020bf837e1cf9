import { defined } from '../../formats/json.ts';
import { redact } from '../../service/redact.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { type Attributes, END_WORD, isAnswer, metricAttributes } from './exchangeAttributes.ts';
import { ATTRIBUTE } from './names.ts';
import type { OtlpExporter } from './otlpExporter.ts';
import { type Gauges, prometheusText } from './prometheus.ts';
import { SeriesStore } from './series.ts';

const MS = 1000;

export interface TelemetryOptions {
  /** Measures the gauges when metrics are exported. */
  readonly gauges: () => Gauges;
  /** Creates the exporter of metrics and spans. If undefined, nothing is sent. */
  readonly createExporter?: (store: SeriesStore, gauges: () => Gauges) => OtlpExporter;
}

/** Measures exchanges by their records. Uses nothing of their content, and never fails. */
export class Telemetry {
  readonly #store = new SeriesStore();
  readonly #gauges: () => Gauges;
  readonly #exporter: OtlpExporter | undefined;

  constructor({ gauges, createExporter }: TelemetryOptions) {
    this.#gauges = gauges;
    this.#exporter = createExporter?.(this.#store, gauges);
  }

  readonly record = (given: ExchangeRecord): void => {
    if (!isAnswer(given)) return;
    const record = withoutKeys(given);
    const attributes = metricAttributes(record);
    const { durationMs, queueMs, firstByteMs, usage, cost, end, status = 0 } = record;
    this.#store.add('requestDuration', durationMs / MS, attributes);
    if (queueMs !== undefined) this.#store.add('operationDuration', Math.max(0, durationMs - queueMs) / MS, attributes);
    if (firstByteMs !== undefined && status < 400) this.#store.add('firstToken', firstByteMs / MS, attributes);
    if (usage !== undefined) this.#addTokens(usage, attributes);
    if (cost !== undefined) this.#store.add('cost', cost, attributes);
    this.#store.add('requests', 1, { ...attributes, [ATTRIBUTE.end]: END_WORD[end] });
    this.#exporter?.add(record);
  };

  get page(): string {
    return prometheusText(this.#store, this.#gauges());
  }

  /** Sends the remaining data, within the time limit of the exporter. */
  async close(): Promise<void> {
    await this.#exporter?.close();
  }

  #addTokens({ inputTokens, outputTokens }: NonNullable<ExchangeRecord['usage']>, attributes: Attributes): void {
    this.#store.add('tokenUsage', inputTokens, { ...attributes, [ATTRIBUTE.tokenType]: 'input' });
    this.#store.add('tokenUsage', outputTokens, { ...attributes, [ATTRIBUTE.tokenType]: 'output' });
  }
}

/** Callers and upstreams choose the names of models freely, and can send keys in them. */
function withoutKeys(record: ExchangeRecord): ExchangeRecord {
  const { model, upstreamModel, answeredModel } = record;
  const redacted = (name: string | undefined) => (name === undefined ? undefined : redact(name));
  const names = {
    model: redacted(model),
    upstreamModel: redacted(upstreamModel),
    answeredModel: redacted(answeredModel),
  };
  return { ...record, ...defined(names) };
}
