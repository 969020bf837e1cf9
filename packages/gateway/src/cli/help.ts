import { readFileSync } from 'node:fs';
import { parseArguments } from './arguments.ts';

/** Set by the build. Undefined if the sources run from a checkout. */
declare const BUILD_VERSION: string | undefined;

const HELP = `Serves the Model Access API on this machine.

Usage: model-access-gateway [options]
       model-access-gateway context [SESSION] --ledger FILE: what fills the context
                                                             of sessions, in dollars

From a checkout: npm run --silent gateway -- [options]

  --port PORT            port to listen on; 0 uses any free port (default 8787)
  --listen HOST:PORT     listen on this address instead of this machine's loopback
                         addresses; 0.0.0.0 and [::] mean all addresses
                         (default: MODEL_ACCESS_LISTEN)
  --allow-host NAME      host name that clients use besides localhost; required with
                         --listen if other machines can reach it; repeatable
  --trusted-proxy RANGE  address or range of a proxy whose X-Forwarded-For and
                         X-Forwarded-Proto headers are trusted; repeatable
  --drain SECONDS        time for requests in progress after SIGINT or SIGTERM, up to
                         600 (default 5); GET /health/ready returns 503 meanwhile
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
                         "models":["familya-*"]}]; changes to the file are applied
                         while the gateway runs
  --key-file FILE        file that contains the local key (default:
                         MODEL_ACCESS_LOCAL_KEY, or a new key)
  --key-env NAME         environment variable that contains the local key
  --key KEY              local key; other users can see it in the process list
  --allow-origin ORIGIN  origin of a web page that can call the gateway; repeatable
  --ledger FILE          record each exchange in this SQLite file
  --database URL         keep keys, budgets, and the ledger in PostgreSQL,
                         shared by any number of gateways (default: DATABASE_URL);
                         manage it with "keys --help" and "teams --help"
  --spool DIR            folder for records that are not in the database yet
  --admin-key-file FILE  file that contains the key for /admin (default: the
                         environment variable MODEL_ACCESS_ADMIN_KEY, or no /admin)
  --admin-key-env NAME   environment variable that contains the admin key
  --when-database-is-away allow|refuse
                         whether to serve keys with a budget while the database
                         is unavailable (default refuse)
  --metrics              serve metrics for Prometheus at /metrics, with a separate key
                         as bearer token: MODEL_ACCESS_METRICS_KEY, or a new key in
                         "metricsKey"
  --metrics-key-env NAME environment variable that contains the key of --metrics
  --request-memory MB    memory for the bodies and answers of running requests, from
                         256 (default 512); one key can use half of it
  --secrets off|report|seal|refuse
                         what to do with keys and passwords in requests: print a warning
                         after a request was sent, replace them with stand-ins that are
                         restored in answers, or refuse the request (default off)
  --delay MS             pause between the events of the sandbox's streams
  --credit USD           credit that the sandbox grants to the key
  --help                 print this help
  --version              print the version

The first line of the output is {"address":"...","key":"..."}. New keys for names
without secretEnv are listed in "keys". With OTEL_EXPORTER_OTLP_ENDPOINT, metrics and
traces are sent to an OpenTelemetry collector. To stop the gateway, send SIGINT or SIGTERM.
`;

/**
 * Returns the text that `--help` or `--version` requests, or `undefined` if the gateway is to be started.
 * @throws {UsageError}
 */
export function requestedText(args: readonly string[]): string | undefined {
  const { help, version } = parseArguments(args);
  if (help) return HELP;
  return version ? gatewayVersion() : undefined;
}

/** The version of the project, such as `0.1.0`. */
function gatewayVersion(): string {
  if (typeof BUILD_VERSION === 'string') return BUILD_VERSION;
  const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
