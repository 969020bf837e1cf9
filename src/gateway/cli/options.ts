import { parseArgs } from 'node:util';
import { errorText } from '../../display/errorText.ts';
import type { IssuedKey } from '../keys/issuedKey.ts';
import { createLocalKeySecret } from '../keys/localKey.ts';
import type { SandboxSettings, ServiceSettings, UpstreamSettings } from '../routing/upstreams.ts';
import { readServeConfig } from './config.ts';
import { isLocalKey, SERVE_KEY } from './keys.ts';
import { UsageError } from './usageError.ts';

export { UsageError };

export const HELP = `Serves the Model Access API on this machine.

Usage: npm run --silent gateway -- [options]

  --port PORT            port to listen on; 0 uses any free port (default 8787)
  --upstream UPSTREAM    sandbox (default), or hosted:<base address> with the
                         service key in the environment variable MODEL_ACCESS_KEY
  --config FILE          several upstreams, as JSON: {"upstreams":[{"id":"x",
                         "baseUrl":"http://127.0.0.1:9/api/v1","formats":
                         ["chat-completions"],"apiKeyEnv":"X_KEY","models":["*"]}]};
                         --upstream, if also given, serves all other models;
                         additional local keys, with or without upstreams:
                         "keys":[{"name":"aider","secretEnv":"AIDER_KEY","budget":
                         {"amount":5,"unit":"usd","period":"monthly"},
                         "expires":"2027-01-31","models":["familya-*"]}]
  --key KEY              local key (default: MODEL_ACCESS_LOCAL_KEY, or a new key)
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
  const key = values.key ?? environment.MODEL_ACCESS_LOCAL_KEY ?? createLocalKeySecret();
  if (!isLocalKey(key)) throw new UsageError('A local key starts with key_ and contains no spaces.');
  const delayMs = readNumber('--delay', values.delay, 60_000);
  const credit = readNumber('--credit', values.credit, 1_000_000);
  const { upstream, localKeys, madeKeys, warnings } = readConfigured(values, environment);
  const countsAnew = values.ledger === undefined && localKeys.some(({ budgets }) => budgets !== undefined);
  if (localKeys.some(({ secret }) => secret === key))
    throw new UsageError('The key of --key is also in the configuration.');
  return {
    port: readPort(values.port),
    upstream,
    sandbox: { ...(delayMs !== undefined && { delayMs }), ...(credit !== undefined && { credit }) },
    key,
    localKeys: [{ id: SERVE_KEY, name: SERVE_KEY, secret: key, createdAt: Date.now() }, ...localKeys],
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

const HOSTED = 'hosted:';

interface UpstreamValues {
  readonly upstream?: string | undefined;
  readonly config?: string | undefined;
}

type Configured = Pick<ServeOptions, 'upstream' | 'localKeys' | 'madeKeys' | 'warnings'>;

/** From the two options that say who answers, and whom. */
function readConfigured({ upstream, config }: UpstreamValues, environment: NodeJS.ProcessEnv): Configured {
  const readAlone = () => readService(upstream ?? 'sandbox', environment.MODEL_ACCESS_KEY);
  if (config === undefined) return { upstream: readAlone(), localKeys: [], madeKeys: [], warnings: [] };
  const { upstreams, aliases, localKeys, warnings } = readServeConfig(config, environment);
  const keys = { localKeys: localKeys.keys, madeKeys: localKeys.made, warnings };
  if (upstreams.length === 0) return { upstream: readAlone(), ...keys };
  const service = upstream === undefined ? undefined : readAlone();
  return { upstream: { kind: 'routed', upstreams, aliases, ...(service !== undefined && { service }) }, ...keys };
}

function readService(text: string, serviceKey: string | undefined): ServiceSettings {
  if (text === 'sandbox') return { kind: 'sandbox' };
  if (!text.startsWith(HOSTED)) throw new UsageError('--upstream must be sandbox or hosted:<base address>.');
  const address = URL.parse(text.slice(HOSTED.length));
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new UsageError('The base address after hosted: must start with https:// or http://.');
  }
  if (serviceKey === undefined || serviceKey === '') {
    throw new UsageError('Set MODEL_ACCESS_KEY in the environment to the service key.');
  }
  return { kind: 'hosted', baseAddress: address.href, serviceKey };
}
