import type { Gateway } from '../server/gateway.ts';
import type { FurtherPaths } from '../server/requestHandler.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { ServeOptions } from './options.ts';

/** The parts of telemetry that the gateway uses. */
export interface OpenTelemetry {
  /** Serves the metrics. Undefined if they are not served. */
  readonly page?: FurtherPaths;
  readonly record: Telemetry['record'];
  close(): Promise<void>;
}

/**
 * Loads the code of telemetry only if it is requested.
 * @returns undefined if it is not.
 */
export async function openTelemetry(
  { metricsKey, otlp }: Pick<ServeOptions, 'metricsKey' | 'otlp'>,
  running: () => Gateway['running'],
): Promise<OpenTelemetry | undefined> {
  if (metricsKey === undefined && otlp === undefined) return undefined;
  const [{ Telemetry }, { OtlpExporter }, { metricsPage }] = await Promise.all([
    import('../telemetry/telemetry.ts'),
    import('../telemetry/otlpExporter.ts'),
    import('../telemetry/prometheus.ts'),
  ]);
  const telemetry = new Telemetry({
    gauges: () => {
      const exchanges = running();
      return { active: exchanges.length, queued: exchanges.filter(({ waitsFor }) => waitsFor !== undefined).length };
    },
    ...(otlp !== undefined && {
      createExporter: (store, gauges) => new OtlpExporter({ settings: otlp, store, gauges, onProblem: console.error }),
    }),
  });
  return {
    record: telemetry.record,
    close: () => telemetry.close(),
    ...(metricsKey !== undefined && {
      page: { answer: metricsPage(metricsKey.secret, () => telemetry.page) },
    }),
  };
}
