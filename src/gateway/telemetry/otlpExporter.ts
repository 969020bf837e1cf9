import { errorText } from '../../display/errors.ts';
import { type Clock, systemClock } from '../../service/clock.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { metricsRequest, spansOf, tracesRequest } from './otlp.ts';
import type { OtlpSettings } from './otlpSettings.ts';
import type { Gauges } from './prometheus.ts';
import type { SeriesStore } from './series.ts';

/** Maximum number of queued spans. The oldest are dropped first. */
const MAX_SPANS = 2_048;
const MAX_SPANS_SENT = 512;
/** Time limit for sending the remaining data when the gateway stops, in milliseconds. */
const CLOSING_MS = 2_000;

export interface OtlpExporterOptions {
  readonly settings: OtlpSettings;
  readonly store: SeriesStore;
  readonly gauges: () => Gauges;
  /** Called with the reason when the receiver cannot be reached, once until it works again. */
  readonly onProblem: (message: string) => void;
  readonly clock?: Clock;
}

/** Sends metrics and spans in the background. Problems of the receiver never delay an exchange or cause it to fail. */
export class OtlpExporter {
  readonly #options: OtlpExporterOptions;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #spans: object[] = [];
  /** By target address. */
  readonly #stopTimers = new Map<string, () => void>();
  #isClosed = false;
  #isFailing = false;
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: OtlpExporterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#startedAt = this.#clock.now();
    const { tracesUrl, metricsUrl, tracesIntervalMs, metricsIntervalMs } = options.settings;
    if (tracesUrl !== undefined) this.#repeat(tracesUrl, tracesIntervalMs, () => this.#sendSpans(tracesUrl));
    if (metricsUrl !== undefined) this.#repeat(metricsUrl, metricsIntervalMs, () => this.#sendMetrics(metricsUrl));
  }

  add(record: ExchangeRecord): void {
    if (this.#options.settings.tracesUrl === undefined) return;
    this.#spans.push(...spansOf(record));
    if (this.#spans.length > MAX_SPANS) this.#spans = this.#spans.slice(-MAX_SPANS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stopTimers.values()) stop();
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const stop = this.#clock.after(CLOSING_MS, resolve);
    await Promise.race([this.#sendRest(), isLate]);
    stop();
  }

  /** Waits for running exports first, because they may return spans that were not accepted to the queue. */
  async #sendRest(): Promise<void> {
    await Promise.all(this.#underWay);
    const { tracesUrl, metricsUrl } = this.#options.settings;
    await Promise.all([
      tracesUrl === undefined ? undefined : this.#sendSpans(tracesUrl, CLOSING_MS),
      metricsUrl === undefined ? undefined : this.#sendMetrics(metricsUrl, CLOSING_MS),
    ]);
  }

  /**
   * Starts the next export only after the previous one has ended, so that a slow receiver gets at most one at a time.
   */
  #repeat(url: string, ms: number, send: () => Promise<void>): void {
    if (this.#isClosed) return;
    const stop = this.#clock.after(ms, () => this.#track(send().then(() => this.#repeat(url, ms, send))));
    this.#stopTimers.set(url, stop);
  }

  #track(sending: Promise<void>): void {
    this.#underWay.add(sending);
    void sending.finally(() => this.#underWay.delete(sending));
  }

  async #sendSpans(url: string, timeoutMs?: number): Promise<void> {
    while (this.#spans.length > 0) {
      const sent = this.#spans.splice(0, MAX_SPANS_SENT);
      const isTaken = await this.#post(url, tracesRequest(sent, this.#options.settings.resource), timeoutMs);
      if (isTaken === 'later') {
        this.#spans = [...sent, ...this.#spans].slice(-MAX_SPANS);
        return;
      }
    }
  }

  async #sendMetrics(url: string, timeoutMs?: number): Promise<void> {
    const { store, gauges, settings } = this.#options;
    const period = { from: this.#startedAt, to: this.#clock.now() };
    await this.#post(url, metricsRequest(store, gauges(), settings.resource, period), timeoutMs);
  }

  /** @returns `later` if a retry can succeed. */
  async #post(url: string, body: object, timeoutMs = this.#options.settings.timeoutMs): Promise<'done' | 'later'> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...this.#options.settings.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      if (answer.ok) this.#isFailing = false;
      else this.#failed(`HTTP ${answer.status}`);
      return RETRIED.has(answer.status) ? 'later' : 'done';
    } catch (error) {
      this.#failed(errorText(error));
      return 'later';
    }
  }

  #failed(reason: string): void {
    if (!this.#isFailing) this.#options.onProblem(`Could not send telemetry: ${reason}. Requests are not affected.`);
    this.#isFailing = true;
  }
}

/** As specified by OTLP. */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
