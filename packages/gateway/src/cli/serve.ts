/** The gateway without an editor, for terminals, containers, tests, and benchmarks. `--help` describes its options. */
import { setTimeout as delay } from 'node:timers/promises';
import { defined } from '../../../../src/formats/json.ts';
import { Sampler } from '../../../../src/gateway/counting/sampler.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import type { IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';
import { Upstreams } from '../../../../src/gateway/routing/upstreams.ts';
import { Gateway } from '../../../../src/gateway/server/gateway.ts';
import type { FurtherPaths } from '../../../../src/gateway/server/requestHandlerOptions.ts';
import type { SessionLoop } from '../../../../src/gateway/server/sessionTracker.ts';
import { ConfigReload } from './configReload.ts';
import type { DatabaseSettings } from './database.ts';
import { requestedText } from './help.ts';
import { readServeOptions, type ServeOptions, UsageError } from './options.ts';
import { openTelemetry } from './telemetry.ts';

/** Balancers ask `/health/ready` every two seconds or more often. */
const NOTICE_MS = 3_000;

async function serve(options: ServeOptions): Promise<void> {
  const { upstream, sandbox, localKeys, ledger, database } = options;
  const { host, port, allowedHosts, trustedProxies, allowedOrigins } = options;
  for (const warning of options.warnings) console.error(warning);
  // The database driver is loaded only if there is a database.
  const team = database && (await openTeam(database));
  const upstreams = new Upstreams({}, console.error, undefined, team?.responses);
  await team?.refusals.share(upstreams.refusals);
  const opened = await upstreams.open(upstream, sandbox);
  if (ledger !== undefined) upstreams.keepBeside(ledger);
  const telemetry = await openTelemetry(options, () => gateway.running);
  const books =
    team?.books ?? new Bookkeeper({ ...defined({ ledger, onRecord: telemetry?.record }), onProblem: console.error });
  const warnings = new SecretWarnings(console.error);
  const reports = options.secretPolicy !== 'off' || (team !== undefined && telemetry !== undefined);
  const gateway: Gateway = new Gateway({
    localKeys,
    ...(team !== undefined && { keySource: team.keys, queues: team.queues }),
    furtherPaths: pathsOf([telemetry?.page, team?.admin]),
    upstream: opened,
    sampler: new Sampler(upstreams.counter),
    estimator: upstreams.counter,
    allowedOrigins,
    allowedHosts,
    trustedProxies,
    books,
    ...(options.heldMegabytes !== undefined && { heldMegabytes: options.heldMegabytes }),
    secretPolicy: options.secretPolicy,
    knownSecrets: options.knownSecrets,
    endsLoops: options.endsLoops,
    measuresContext: options.measuresContext,
    onLoop: (loop) => console.error(loopWarning(localKeys, loop)),
    onExchange: reports
      ? (record) => {
          if (record.sealed === undefined) warnings.record(record);
          if (team !== undefined) telemetry?.record(record);
        }
      : undefined,
    onRefusedCallers: console.error,
    onPlainCaller: console.error,
    onError: (error) => console.error(error instanceof Error ? error.message : error),
  });
  const { address } = await (host === undefined ? gateway.listen(port) : gateway.listenOn(host, port));
  const target = { gateway, upstreams, sandbox, onNewKeys: printKeys, onMessage: console.error };
  const reload = options.config && new ConfigReload(options.config, options, opened, target);

  stopOnSignals(async () => {
    await Promise.all([gateway.drain(options.drainMs), untilNoticed(options)]);
    await gateway.close(0);
    await (team?.database ?? books).close();
    await telemetry?.close();
    await (reload?.close() ?? upstreams.release(opened));
    await upstreams.close();
  });
  printStart(address, options);
  reload?.watch();
}

/** Ends the process at a signal, after `stop`. A second signal ends it immediately. */
function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = async () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    await stop();
    process.exit(0);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
}

/**
 * Waits until a balancer in front has asked `/health/ready` and sends nothing more. Connections that it opens while the
 * port is closed would be reset together with the requests on them.
 */
function untilNoticed({ trustedProxies, drainMs }: ServeOptions): Promise<void> | undefined {
  return trustedProxies.length === 0 ? undefined : delay(Math.min(drainMs, NOTICE_MS));
}

function loopWarning(keys: readonly IssuedKey[], { localKeyId, rounds, isEnded }: SessionLoop): string {
  const name = keys.find(({ id }) => id === localKeyId)?.name ?? localKeyId;
  const warning = `A session of the local key "${name}" has made the same call with the same result ${rounds} times in a row.`;
  return isEnded ? `${warning} It was ended.` : warning;
}

function printStart(address: string, { key, madeKeys, metricsKey }: ServeOptions): void {
  const made = { ...(madeKeys.length > 0 && secretsOf(madeKeys)) };
  console.log(JSON.stringify({ address, key, ...made, ...(metricsKey?.isNew && { metricsKey: metricsKey.secret }) }));
}

function printKeys(keys: readonly IssuedKey[]): void {
  console.log(JSON.stringify(secretsOf(keys)));
}

function secretsOf(keys: readonly IssuedKey[]) {
  return { keys: Object.fromEntries(keys.map(({ name, secret }) => [name, secret])) };
}

/** Combines several handlers. The first that answers a request handles it. */
function pathsOf(all: readonly (FurtherPaths | undefined)[]): FurtherPaths {
  return { answer: (...given) => all.some((paths) => paths?.answer(...given) === true) };
}

async function openTeam(settings: DatabaseSettings) {
  const { openTeam: open } = await import('./team.ts');
  return open(settings, console.error);
}

async function administer(args: readonly string[]): Promise<string> {
  const { runAdminCommand } = await import('./admin/adminCommand.ts');
  return runAdminCommand(args, process.env);
}

async function showContext(args: readonly string[]): Promise<string> {
  const { runContextCommand } = await import('./context/contextCommand.ts');
  return runContextCommand(args, process.env);
}

function runCommand(args: readonly string[]): Promise<string> | undefined {
  if (args[0] === 'context') return showContext(args);
  return ADMIN_NOUNS.has(args[0]) ? administer(args) : undefined;
}

const ADMIN_NOUNS: ReadonlySet<string | undefined> = new Set(['keys', 'teams']);

async function main(): Promise<void> {
  try {
    const args = process.argv.slice(2);
    const text = (await runCommand(args)) ?? requestedText(args);
    if (text !== undefined) console.log(text);
    else await serve(readServeOptions(args, process.env));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}

// Not awaited, because the built file is CommonJS, which has no top-level await.
void main();

interface SearchedExchange {
  readonly id: string;
  readonly localKeyId?: string;
  readonly upstream?: string;
  readonly secrets?: readonly string[];
}

/**
 * Warns the user who started the gateway about secrets in requests. Warns once for each key and kind, because an agent
 * sends its whole conversation again and again. All records contain the kinds.
 */
class SecretWarnings {
  readonly #print: (line: string) => void;
  readonly #reported = new Set<string>();

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Does nothing for a record without secrets. */
  readonly record = ({ id, localKeyId, upstream, secrets = [] }: SearchedExchange): void => {
    const fresh = secrets.filter((kind) => !this.#reported.has(`${localKeyId} ${kind}`));
    if (fresh.length === 0) return;
    for (const kind of fresh) this.#reported.add(`${localKeyId} ${kind}`);
    this.#print(`Request ${id} of key ${localKeyId} to ${upstream} seems to contain secrets: ${fresh.join(', ')}.`);
  };
}
