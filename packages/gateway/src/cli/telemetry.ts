import { randomBytes } from 'node:crypto';
import type { Gateway } from '../../../../src/gateway/server/gateway.ts';
import type { FurtherPaths } from '../../../../src/gateway/server/requestHandlerOptions.ts';
import { type OtlpSettings, readOtlpSettings } from '../../../../src/gateway/telemetry/otlpSettings.ts';
import type { Telemetry } from '../../../../src/gateway/telemetry/telemetry.ts';
import { type Arguments, UsageError } from './arguments.ts';
import { readSecretOption } from './secretOptions.ts';

interface MetricsKey {
  readonly secret: string;
  /** Whether it was created just now. */
  readonly isNew: boolean;
}

const MIN_KEY_LENGTH = 20;

export interface TelemetrySettings {
  /** Undefined if the metrics are not served. */
  readonly metricsKey?: MetricsKey;
  /** Undefined if nothing is sent. */
  readonly otlp?: OtlpSettings;
}

/** @throws {UsageError} */
export function readTelemetry(values: Arguments, environment: NodeJS.ProcessEnv): TelemetrySettings {
  const otlp = readOtlp(environment);
  return {
    ...(values.metrics && { metricsKey: readMetricsKey(values, environment) }),
    ...(otlp !== undefined && { otlp }),
  };
}

function readMetricsKey({ 'metrics-key-env': env }: Arguments, environment: NodeJS.ProcessEnv): MetricsKey {
  const given = readSecretOption({ name: '--metrics-key', env }, environment).secret;
  const secret = given ?? environment.MODEL_ACCESS_METRICS_KEY;
  if (secret === undefined) return { secret: `metrics_${randomBytes(32).toString('base64url')}`, isNew: true };
  if (secret.length < MIN_KEY_LENGTH || /\s/.test(secret)) {
    throw new UsageError(`The metrics key must have at least ${MIN_KEY_LENGTH} characters and no spaces.`);
  }
  return { secret, isNew: false };
}

function readOtlp(environment: NodeJS.ProcessEnv): OtlpSettings | undefined {
  try {
    return readOtlpSettings(environment);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

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
  { metricsKey, otlp }: TelemetrySettings,
  running: () => Gateway['running'],
): Promise<OpenTelemetry | undefined> {
  if (metricsKey === undefined && otlp === undefined) return undefined;
  const [{ Telemetry }, { OtlpExporter }, { metricsPage }] = await Promise.all([
    import('../../../../src/gateway/telemetry/telemetry.ts'),
    import('../../../../src/gateway/telemetry/otlpExporter.ts'),
    import('../../../../src/gateway/telemetry/prometheus.ts'),
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
