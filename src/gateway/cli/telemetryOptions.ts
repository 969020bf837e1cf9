/** The options and environment variables of telemetry. */
import { randomBytes } from 'node:crypto';
import { type OtlpSettings, readOtlpSettings } from '../telemetry/otlpSettings.ts';
import type { Arguments } from './arguments.ts';
import { UsageError } from './arguments.ts';
import { readSecretOption } from './secretOptions.ts';

export interface MetricsKey {
  readonly secret: string;
  /** Whether it was created just now. */
  readonly isNew: boolean;
}

const MIN_KEY_LENGTH = 20;

/** @throws {UsageError} */
export function readTelemetry(
  values: Arguments,
  environment: NodeJS.ProcessEnv,
): { readonly metricsKey?: MetricsKey; readonly otlp?: OtlpSettings } {
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
