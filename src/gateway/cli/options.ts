import { parseArgs } from 'node:util';
import { errorText } from '../../display/errorText.ts';
import type { IssuedKey } from '../keys/issuedKey.ts';
import { createLocalKeySecret } from '../keys/localKey.ts';
import type { SandboxSettings, UpstreamSettings } from '../routing/upstreams.ts';
import { readServeConfig } from './config.ts';
import { isLocalKey, LOCAL_KEY_RULE, SERVE_KEY, shortKeyWarnings } from './keys.ts';
import { type GivenSecret, readSecretOption } from './secretOptions.ts';
import { readService } from './service.ts';
import { UsageError } from './usageError.ts';

export { UsageError };

export const HELP = `Serves the Model Access API on this machine.

Usage: npm run --silent gateway -- [options]

  --port PORT            port to listen on; 0 uses any free port (default 8787)
  --upstream UPSTREAM    sandbox (default), or hosted:<base address> with the
                         service key in the environment variable MODEL_ACCESS_KEY
  --service-key-file FILE
                         file that contains the service key
  --service-key-env NAME environment variable that contains the service key
  --allow-plain-http     allow the service key to be sent over http:// to another
                         machine
  --config FILE          several upstreams, as JSON: {"upstreams":[{"id":"x",
                         "baseUrl":"http://127.0.0.1:9/api/v1","formats":
                         ["chat-completions"],"apiKeyEnv":"X_KEY","models":["*"]}]};
                         --upstream, if also given, serves all other models;
                         additional local keys, with or without upstreams:
                         "keys":[{"name":"aider","secretEnv":"AIDER_KEY","budget":
                         {"amount":5,"unit":"usd","period":"monthly"},
                         "limits":{"parallel":2,"requestsPerMinute":60,
                         "tokensPerMinute":200000},"expires":"2027-01-31",
                         "models":["familya-*"]}]
  --key-file FILE        file that contains the local key (default:
                         MODEL_ACCESS_LOCAL_KEY, or a new key)
  --key-env NAME         environment variable that contains the local key
  --key KEY              local key; other users can see it in the process list
  --allow-origin ORIGIN  origin of a web page that can call the gateway; repeatable
  --ledger FILE          record each exchange in this SQLite file
  --delay MS             pause between the events of the sandbox's streams
  --credit USD           credit that the sandbox grants to the key
  --help                 print this help

The first line of the output is {"address":"...","key":"..."}. New keys for names
without secretEnv are listed in "keys". To stop the gateway, send SIGINT or SIGTERM.
`;

const DEFAULT_PORT = 8787;

export interface ServeOptions {
  readonly port: number;
  readonly upstream: UpstreamSettings;
  readonly sandbox: SandboxSettings;
  /** Opens the gateway without limits. */
  readonly key: string;
  /** All keys. */
  readonly localKeys: readonly IssuedKey[];
  /** Those besides `key` that were made just now. */
  readonly madeKeys: readonly IssuedKey[];
  readonly allowedOrigins: readonly string[];
  /** The path of the ledger. */
  readonly ledger?: string;
  /** What the person who started it should know. */
  readonly warnings: readonly string[];
}

/**
 * @returns `undefined` when only help is asked for.
 * @throws {UsageError}
 */
export function readServeOptions(args: readonly string[], environment: NodeJS.ProcessEnv): ServeOptions | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const given = readLocalKey(values, environment);
  const key = given.secret ?? environment.MODEL_ACCESS_LOCAL_KEY ?? createLocalKeySecret();
  if (!isLocalKey(key)) throw new UsageError(LOCAL_KEY_RULE);
  const delayMs = readNumber('--delay', values.delay, 60_000);
  const credit = readNumber('--credit', values.credit, 1_000_000);
  const { upstream, localKeys, madeKeys, ...configured } = readConfigured(values, environment);
  const countsAnew = values.ledger === undefined && localKeys.some(({ budgets }) => budgets !== undefined);
  if (localKeys.some(({ secret }) => secret === key))
    throw new UsageError('The key of --key is also in the configuration.');
  const serveKey = { id: SERVE_KEY, name: SERVE_KEY, secret: key, createdAt: Date.now() };
  const allKeys = [serveKey, ...localKeys];
  const warnings = [...given.warnings, ...configured.warnings, ...shortKeyWarnings(allKeys)];
  return {
    port: readPort(values.port),
    upstream,
    sandbox: { ...(delayMs !== undefined && { delayMs }), ...(credit !== undefined && { credit }) },
    key,
    localKeys: allKeys,
    madeKeys,
    warnings: countsAnew ? [...warnings, BUDGETS_COUNT_ANEW] : warnings,
    allowedOrigins: values['allow-origin'],
    ...(values.ledger !== undefined && { ledger: values.ledger }),
  };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        upstream: { type: 'string' },
        config: { type: 'string' },
        key: { type: 'string' },
        'key-file': { type: 'string' },
        'key-env': { type: 'string' },
        'service-key-file': { type: 'string' },
        'service-key-env': { type: 'string' },
        'allow-plain-http': { type: 'boolean', default: false },
        'allow-origin': { type: 'string', multiple: true, default: [] },
        ledger: { type: 'string' },
        delay: { type: 'string' },
        credit: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    const [firstLine = ''] = errorText(error).split('\n');
    throw new UsageError(`${firstLine} Try --help.`);
  }
}

type Values = ReturnType<typeof parse>;

function readLocalKey(values: Values, environment: NodeJS.ProcessEnv): GivenSecret {
  const { key: value, 'key-file': file, 'key-env': env } = values;
  return readSecretOption({ name: '--key', value, file, env }, environment);
}

function readServiceKey(values: Values, environment: NodeJS.ProcessEnv): GivenSecret {
  const { 'service-key-file': file, 'service-key-env': env } = values;
  const given = readSecretOption({ name: '--service-key', file, env }, environment);
  const secret = given.secret ?? environment.MODEL_ACCESS_KEY;
  return secret === undefined ? given : { ...given, secret };
}

function readPort(text: string | undefined): number {
  const port = readNumber('--port', text, 65_535) ?? DEFAULT_PORT;
  if (!Number.isInteger(port)) throw new UsageError('--port takes a whole number.');
  return port;
}

function readNumber(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number >= 0 && number <= most)) throw new UsageError(`${name} takes a number from 0 to ${most}.`);
  return number;
}

const BUDGETS_COUNT_ANEW = 'Budgets start from zero each time this gateway starts. Use --ledger to keep them.';

type Configured = Pick<ServeOptions, 'upstream' | 'localKeys' | 'madeKeys' | 'warnings'>;

/** From the options that say who answers, and whom. */
function readConfigured(values: Values, environment: NodeJS.ProcessEnv): Configured {
  const { upstream, config, 'allow-plain-http': allowsPlainHttp } = values;
  const { secret: serviceKey, warnings: ofServiceKey } = readServiceKey(values, environment);
  const readAlone = () => readService(upstream ?? 'sandbox', serviceKey, allowsPlainHttp);
  if (config === undefined) return { upstream: readAlone(), localKeys: [], madeKeys: [], warnings: ofServiceKey };
  const { upstreams, aliases, localKeys, ...configured } = readServeConfig(config, environment);
  const warnings = [...ofServiceKey, ...configured.warnings];
  const keys = { localKeys: localKeys.keys, madeKeys: localKeys.made, warnings };
  if (upstreams.length === 0) return { upstream: readAlone(), ...keys };
  const service = upstream === undefined ? undefined : readAlone();
  return { upstream: { kind: 'routed', upstreams, aliases, ...(service !== undefined && { service }) }, ...keys };
}
