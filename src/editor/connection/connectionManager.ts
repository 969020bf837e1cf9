import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import { ApiClient, type ApiClientOptions } from '../../service/apiClient.ts';
import { ApiKey } from '../../service/apiKey.ts';
import { normalizeBaseAddress } from '../../service/baseAddress.ts';
import type { OpenConnection, ServiceConnection } from '../../service/connection.ts';
import { KnownRefusals } from '../../service/knownRefusals.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';
import { WorkQueue } from '../workQueue.ts';
import type { RequestSealing } from './requestSealing.ts';
import type { ServiceKeys } from './serviceKeys.ts';

/** This length of the digest distinguishes keys, but is far too short to find one. */
const IDENTITY_LENGTH = 12;

interface ConnectionParts {
  readonly keys: ServiceKeys;
  readonly settings: Settings;
  readonly worker: GatewayWorker;
  readonly log: Log;
  readonly globalState: vscode.Memento;
  readonly sealing: RequestSealing;
}

/** Keeps this window's connection in sync with the key, the base address, and the sandbox setting. */
export class ConnectionManager implements vscode.Disposable {
  readonly #keys: ServiceKeys;
  readonly #settings: Settings;
  readonly #worker: GatewayWorker;
  readonly #log: Log;
  readonly #globalState: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<ServiceConnection>();
  readonly #subscriptions: vscode.Disposable[];
  #current: ServiceConnection = { kind: 'none' };
  /** The address in the settings that differs from the key's, if the user has been told. */
  #warnedOf: string | undefined;
  /** Refreshes run one at a time, so the last one to start is the last one to finish. */
  readonly #queue = new WorkQueue();

  readonly onDidChange = this.#changed.event;
  /** Replaces secrets in requests of the connection. */
  readonly sealing: RequestSealing;

  constructor({ keys, settings, worker, log, globalState, sealing }: ConnectionParts) {
    this.sealing = sealing;
    this.#globalState = globalState;
    this.#keys = keys;
    this.#settings = settings;
    this.#worker = worker;
    this.#log = log;
    worker.setSandboxDelay(settings.sandboxDelay);
    this.#subscriptions = [
      keys.onDidChange(() => this.refresh()),
      settings.onDidChange(['baseAddress', 'sandbox.enabled'], () => this.refresh()),
      settings.onDidChange(['sandbox.delay'], () => worker.setSandboxDelay(settings.sandboxDelay)),
    ];
  }

  get current(): ServiceConnection {
    return this.#current;
  }

  /** The open connection, or `undefined` if there is none. */
  get open(): OpenConnection | undefined {
    return this.#current.kind === 'none' ? undefined : this.#current;
  }

  /** Returns whether there is a connection, after waiting for a refresh in progress. */
  async isOpen(): Promise<boolean> {
    await this.#queue.run(async () => undefined);
    return this.open !== undefined;
  }

  /** Reads the key and the settings again. Resolves when the connection matches them. */
  refresh(): Promise<void> {
    return this.#queue.run(() => this.#refresh());
  }

  /**
   * Changes the key, the address, or both. There is no connection with one of them before the change and the other one
   * after it, which would send a key to an address that it does not belong to.
   */
  async change(work: () => Promise<void>): Promise<void> {
    await this.#queue.run(work);
    await this.refresh();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed, this.sealing).dispose();
  }

  async #refresh(): Promise<void> {
    const next = await this.#connect();
    if (describe(next) === describe(this.#current)) return;
    this.#current = next;
    this.#log.info(`Connection: ${describe(next)}`);
    this.#changed.fire(next);
  }

  async #connect(): Promise<ServiceConnection> {
    try {
      return this.#settings.sandboxEnabled ? await this.#connectSandbox() : await this.#connectHosted();
    } catch (error) {
      this.#log.error('Could not connect', error);
      return { kind: 'none', problem: errorText(error) };
    }
  }

  async #connectSandbox(): Promise<ServiceConnection> {
    const { createWorkerFetch, WORKER_ADDRESS } = await import('../worker/workerFetch.ts');
    const fetch = this.sealing.wrap(createWorkerFetch(this.#worker.rpc.ask));
    return openConnection('sandbox', ApiKey.sandbox, { baseAddress: WORKER_ADDRESS, fetch });
  }

  async #connectHosted(): Promise<ServiceConnection> {
    const stored = await this.#keys.read();
    if (stored === undefined) return { kind: 'none' };
    if (this.#settings.baseAddress === '')
      return { kind: 'none', problem: l10n.t('The base address of the service is not set.') };
    const address = normalizeBaseAddress(this.#settings.baseAddress);
    if (!address.ok) return { kind: 'none', problem: address.problem };
    // The setting and the key of another window arrive one after the other, so they may not belong together yet.
    const { baseAddress = address.address } = stored;
    if (baseAddress !== address.address) this.#warnOfChange(baseAddress, address.address);
    const key = `refusals:${baseAddress}`;
    const refusals = new KnownRefusals({
      get: () => this.#globalState.get(key),
      set: (value) => {
        const warn = (error: unknown) => this.#log.warn('What the service refuses could not be stored', error);
        this.#globalState.update(key, value).then(undefined, warn);
      },
    });
    // The editor's own fetch uses its proxy and certificate settings. It is read on each call, because the host patches
    // it.
    const fetch = this.sealing.wrap((input, init) => globalThis.fetch(input, init));
    return openConnection('hosted', stored.key, { baseAddress, fetch, refusals });
  }

  /** Tells the user who has just changed the setting that the key stays at its address. */
  #warnOfChange(baseAddress: string, changed: string): void {
    if (changed === this.#warnedOf || !vscode.window.state.focused) return;
    this.#warnedOf = changed;
    import('./connectionOffers.ts')
      .then(({ offerKeyFor }) => offerKeyFor(changed, baseAddress))
      .catch((error: unknown) => this.#log.error('Could not ask for a key', error));
  }
}

function openConnection(
  kind: OpenConnection['kind'],
  key: ApiKey,
  options: Omit<ApiClientOptions, 'key'>,
): OpenConnection {
  const { baseAddress } = options;
  const digest = createHash('sha256').update(`${baseAddress}\n${key.reveal()}`).digest('hex');
  const client = new ApiClient({ ...options, key });
  return { kind, client, key, baseAddress, identity: digest.slice(0, IDENTITY_LENGTH) };
}

function describe(connection: ServiceConnection): string {
  if (connection.kind === 'none') return `none${connection.problem === undefined ? '' : ` (${connection.problem})`}`;
  return `${connection.kind} at ${connection.baseAddress} (${connection.identity})`;
}
