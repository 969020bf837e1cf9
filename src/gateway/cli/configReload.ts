import { stat } from 'node:fs/promises';
import { errorText } from '../../display/errorText.ts';
import type { IssuedKey } from '../keys/issuedKey.ts';
import type { SandboxSettings, Upstreams } from '../routing/upstreams.ts';
import type { Gateway } from '../server/gateway.ts';
import type { Configured } from './configured.ts';

/** The file that `--config` names. */
export interface ConfigFile {
  readonly path: string;
  /** @param known the keys until now. @throws {UsageError} */
  read(known: readonly IssuedKey[]): Configured;
}

type OpenUpstream = Awaited<ReturnType<Upstreams['open']>>;

/** Where a changed file takes effect. */
export interface ReloadTarget {
  readonly gateway: Gateway;
  readonly upstreams: Upstreams;
  readonly sandbox: SandboxSettings;
  /** Told of keys that were made because the file names them now. */
  readonly onNewKeys: (keys: readonly IssuedKey[]) => void;
  /** Told what was done, in words for a person. */
  readonly onMessage: (message: string) => void;
}

/** Attributes of the file are compared and no events are awaited, so that links, network drives, and mounts work, too. */
const INTERVAL_MS = 500;

/**
 * Applies the file of `--config` whenever it has changed. Requests under way end as they began. A file with a mistake
 * changes nothing: the mistake is told, and the last valid configuration stays in use.
 */
export class ConfigReload {
  readonly #file: ConfigFile;
  readonly #target: ReloadTarget;
  readonly #releases = new Set<Promise<void>>();
  #current: Configured;
  #upstream: OpenUpstream;
  #told: ReadonlySet<string>;
  #problem: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** The file at the last look, and when it was last applied: never yet, as it may have changed since the start. */
  #seen: string | undefined;
  #applied: string | undefined;

  /** @param upstream the one that is open for `current`. It is closed once no request needs it. */
  constructor(file: ConfigFile, current: Configured, upstream: OpenUpstream, target: ReloadTarget) {
    this.#file = file;
    this.#current = current;
    this.#upstream = upstream;
    this.#told = new Set(current.warnings);
    this.#target = target;
  }

  watch(): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(() => this.watch());
    }, INTERVAL_MS).unref();
  }

  /** Closes the upstream that is in use, and those before. To be called when no request is under way. */
  async close(): Promise<void> {
    await this.#looking;
    clearTimeout(this.#timer);
    await Promise.all(this.#releases);
    await this.#target.upstreams.release(this.#upstream);
  }

  /** Some programs write a file in several steps, so a change is applied once the file has stayed the same for a while. */
  async #look(): Promise<void> {
    const state = await stateOf(this.#file.path);
    const isSettled = state === this.#seen;
    this.#seen = state;
    if (!isSettled || state === this.#applied) return;
    this.#applied = state;
    await this.#apply().catch((error: unknown) => this.#refuse(errorText(error)));
  }

  async #apply(): Promise<void> {
    const { gateway, upstreams, sandbox, onNewKeys, onMessage } = this.#target;
    const next = this.#file.read(this.#current.localKeys);
    if (this.#problem === undefined && isSame(next, this.#current)) return;
    const isSameUpstream = JSON.stringify(next.upstream) === JSON.stringify(this.#current.upstream);
    const opened = isSameUpstream ? undefined : await upstreams.open(next.upstream, sandbox);
    gateway.setLocalKeys(next.localKeys);
    if (opened !== undefined) this.#replaceUpstream(opened);
    this.#current = next;
    this.#problem = undefined;
    for (const warning of next.warnings) if (!this.#told.has(warning)) onMessage(warning);
    this.#told = new Set(next.warnings);
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
    this.#target.onMessage(`${problem} The last valid configuration stays in use.`);
  }
}

/** Differs whenever the file does. */
async function stateOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return errorText(error);
  }
}

function isSame(a: Configured, b: Configured): boolean {
  return settingsOf(a) === settingsOf(b);
}

function settingsOf({ upstream, localKeys }: Configured): string {
  return JSON.stringify([upstream, localKeys.map(({ createdAt: _, ...key }) => key)]);
}
