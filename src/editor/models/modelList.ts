import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import { type Model, readModelCatalog } from '../../service/modelCatalog.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { Log } from '../log/log.ts';

const STATE_KEY = 'modelAccess.catalog';

export interface ModelListState {
  readonly models: readonly Model[];
  /** `stale`: the last known list, because the service could not be read. */
  readonly state: 'loading' | 'current' | 'stale' | 'failed';
  /** In milliseconds since the epoch. */
  readonly readAt?: number;
  readonly problem?: string;
}

/** The state that is kept across restarts: the catalog as received, and its source. */
interface StoredCatalog {
  readonly baseAddress: string;
  readonly readAt: number;
  readonly raw: unknown;
}

/** The current catalog of the connection, or the last known one while it cannot be read. */
export class ModelList implements vscode.Disposable {
  readonly #connection: ConnectionManager;
  readonly #memory: vscode.Memento;
  readonly #readRoutes: (catalog: readonly Model[]) => Promise<readonly Model[]>;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #state: ModelListState = { models: [], state: 'loading' };
  #routes: readonly Model[] = [];
  #reading: AbortController | undefined;
  /** What this window stored last. The memory of the editor can show an older value while it writes. */
  #stored: StoredCatalog | undefined;

  readonly onDidChange = this.#changed.event;

  /** @param readRoutes returns the routes of the settings as models. */
  constructor(
    connection: ConnectionManager,
    memory: vscode.Memento,
    log: Log,
    readRoutes: (catalog: readonly Model[]) => Promise<readonly Model[]>,
  ) {
    this.#readRoutes = readRoutes;
    this.#connection = connection;
    this.#memory = memory;
    this.#log = log;
    this.#subscription = connection.onDidChange(() => this.refresh());
  }

  get state(): ModelListState {
    return this.#state;
  }

  /** The models of the catalog, and the routes of the settings, which are chosen like models. */
  get all(): readonly Model[] {
    return [...this.#state.models, ...this.#routes];
  }

  /** Finds a model of the catalog or a route. */
  find(id: string): Model | undefined {
    return this.all.find((model) => model.id === id);
  }

  /** Reads the routes, whose prices are those of their models. */
  async readRoutes(): Promise<void> {
    const { models } = this.#state;
    const routes = await this.#readRoutes(models);
    if (models !== this.#state.models || (routes.length === 0 && this.#routes.length === 0)) return;
    this.#routes = routes;
    this.#changed.fire();
  }

  /** Reads the catalog again. After a failure, the last known list is kept. */
  async refresh(): Promise<void> {
    this.#reading?.abort();
    const connection = this.#connection.open;
    if (connection === undefined) {
      this.#set({ models: [], state: 'loading' });
      return;
    }
    const reading = new AbortController();
    this.#reading = reading;
    const known = this.#lastKnown(connection.baseAddress);
    this.#set({ ...known, state: 'loading' });
    try {
      const catalog = await connection.client.models({ signal: reading.signal });
      const readAt = Date.now();
      this.#stored = { baseAddress: connection.baseAddress, readAt, raw: catalog.raw };
      await this.#memory.update(STATE_KEY, this.#stored);
      if (this.#reading === reading) this.#set({ models: catalog.models, state: 'current', readAt });
    } catch (error) {
      if (reading.signal.aborted) return;
      this.#log.warn('The model catalog could not be read', error);
      const problem = errorText(error);
      this.#set({ ...known, state: known.models.length === 0 ? 'failed' : 'stale', problem });
    }
  }

  dispose(): void {
    this.#reading?.abort();
    vscode.Disposable.from(this.#subscription, this.#changed).dispose();
  }

  #lastKnown(baseAddress: string): Pick<ModelListState, 'models' | 'readAt'> {
    const stored = this.#stored ?? this.#memory.get<StoredCatalog>(STATE_KEY);
    if (stored?.baseAddress !== baseAddress) return { models: [] };
    return { models: readModelCatalog(stored.raw).models, readAt: stored.readAt };
  }

  #set(state: ModelListState): void {
    this.#state = state;
    this.#changed.fire();
    void this.readRoutes();
  }
}
