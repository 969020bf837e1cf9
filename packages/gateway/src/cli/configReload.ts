import { stat } from 'node:fs/promises';
import { errorText } from '../../../../src/display/errors.ts';
import type { IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';
import type { SandboxSettings, Upstreams } from '../../../../src/gateway/routing/upstreams.ts';
import type { Gateway } from '../../../../src/gateway/server/gateway.ts';
import type { Configured } from './configured.ts';

export interface ConfigFile {
  readonly path: string;
  /**
   * @param known the keys of the previous configuration.
   * @throws {UsageError}
   */
  read(known: readonly IssuedKey[]): Configured;
}

type OpenUpstream = Awaited<ReturnType<Upstreams['open']>>;

export interface ReloadTarget {
  readonly gateway: Gateway;
  readonly upstreams: Upstreams;
  readonly sandbox: SandboxSettings;
  /** Called with keys that were created because the changed file names them. */
  readonly onNewKeys: (keys: readonly IssuedKey[]) => void;
  /** Called with a message for the user about each reload. */
  readonly onMessage: (message: string) => void;
  /** How often to look at the file. */
  readonly intervalMs?: number;
}

/**
 * Compares file attributes instead of waiting for events, so that it also works with links, network drives, and mounts.
 */
const INTERVAL_MS = 500;

/**
 * Applies the file of `--config` whenever it has changed. Running requests continue with the previous configuration. A
 * file with an error changes nothing: the error is reported, and the last valid configuration stays in use.
 */
export class ConfigReload {
  readonly #file: ConfigFile;
  readonly #target: ReloadTarget;
  readonly #releases = new Set<Promise<void>>();
  #current: Configured;
  #upstream: OpenUpstream;
  #reported: ReadonlySet<string>;
  #problem: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  /**
   * The state of the file at the last check and at the last reload. Undefined at first, because the file may have
   * changed since the start.
   */
  #seen: string | undefined;
  #applied: string | undefined;

  /** @param upstream the upstream that is open for `current`. It is closed when no request needs it. */
  constructor(file: ConfigFile, current: Configured, upstream: OpenUpstream, target: ReloadTarget) {
    this.#file = file;
    this.#current = current;
    this.#upstream = upstream;
    this.#reported = new Set(current.warnings);
    this.#target = target;
  }

  watch(): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(() => this.watch());
    }, this.#target.intervalMs ?? INTERVAL_MS).unref();
  }

  /** Closes the current upstream and waits for earlier ones. Call it when no request is running. */
  async close(): Promise<void> {
    await this.#looking;
    clearTimeout(this.#timer);
    await Promise.all(this.#releases);
    await this.#target.upstreams.release(this.#upstream);
  }

  /** Applies a change when the file is the same at two checks, because some programs write a file in several steps. */
  async #look(): Promise<void> {
    const state = await stateOf(this.#file.path);
    const isUnchanged = state === this.#seen;
    this.#seen = state;
    if (!isUnchanged || state === this.#applied) return;
    this.#applied = state;
    await this.#apply().catch((error: unknown) => this.#refuse(errorText(error)));
  }

  async #apply(): Promise<void> {
    const { gateway, upstreams, sandbox, onNewKeys, onMessage } = this.#target;
    const next = this.#file.read(this.#current.localKeys);
    if (this.#problem === undefined && settingsOf(next) === settingsOf(this.#current)) return;
    const isSameUpstream = JSON.stringify(next.upstream) === JSON.stringify(this.#current.upstream);
    const opened = isSameUpstream ? undefined : await upstreams.open(next.upstream, sandbox);
    gateway.setLocalKeys(next.localKeys);
    gateway.setEndingLoops(next.endsLoops);
    gateway.setMeasuringContext(next.measuresContext);
    gateway.setKnownSecrets(next.knownSecrets);
    if (opened !== undefined) this.#replaceUpstream(opened);
    this.#current = next;
    this.#problem = undefined;
    for (const warning of next.warnings) if (!this.#reported.has(warning)) onMessage(warning);
    this.#reported = new Set(next.warnings);
    if (next.madeKeys.length > 0) onNewKeys(next.madeKeys);
    onMessage(`Reloaded ${this.#file.path}.`);
  }

  #replaceUpstream(opened: OpenUpstream): void {
    const { gateway, upstreams, onMessage } = this.#target;
    const before = this.#upstream;
    this.#upstream = opened;
    const released = gateway
      .setUpstream(opened)
      .then(() => upstreams.release(before))
      .catch((error: unknown) => onMessage(errorText(error)))
      .finally(() => this.#releases.delete(released));
    this.#releases.add(released);
  }

  #refuse(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    // Messages of the system and of the JSON parser have no period.
    this.#target.onMessage(`${problem.replace(/\.$/, '')}. The last valid configuration stays in use.`);
  }
}

/** Returns a text that differs whenever the file does. */
async function stateOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return errorText(error);
  }
}

function settingsOf({ upstream, localKeys, endsLoops, measuresContext, knownSecrets }: Configured): string {
  return JSON.stringify([
    upstream,
    endsLoops,
    measuresContext,
    knownSecrets,
    localKeys.map(({ createdAt: _, ...key }) => key),
  ]);
}
