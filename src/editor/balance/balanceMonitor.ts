import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import { type Balance, readBalance } from '../../service/balance.ts';
import type { OpenConnection, ServiceConnection } from '../../service/connection.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { Log } from '../log/log.ts';

const STATE_KEY = 'modelAccess.balance';

/** Between two readings. The balance is also read after each answer. In milliseconds. */
const REFRESH_MS = 600_000;
/** A failed reading is repeated after this time, which then doubles up to an hour. In milliseconds. */
const FIRST_BACKOFF_MS = 30_000;
const MAX_BACKOFF_MS = 3_600_000;

/**
 * Some services charge a request only after its answer, so the balance is read again after this time. In milliseconds.
 */
const CHARGE_DELAY_MS = 1_500;

export interface BalanceState {
  readonly connection: ServiceConnection['kind'];
  /** Host of the service. */
  readonly host?: string;
  readonly balance?: Balance;
  /** In milliseconds since the epoch. */
  readonly readAt?: number;
  /** Why the last reading failed. The balance is then the last known one. */
  readonly problem?: string;
}

/** The state that is kept across restarts. */
interface StoredBalance {
  readonly identity: string;
  readonly readAt: number;
  readonly raw: unknown;
}

/** Reads the key's balance on a timer and after each answer, and remembers the last one. */
export class BalanceMonitor implements vscode.Disposable {
  readonly #connection: ConnectionManager;
  readonly #memory: vscode.Memento;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<BalanceState>();
  readonly #subscriptions: vscode.Disposable[];
  #state: BalanceState = { connection: 'none' };
  #timer: NodeJS.Timeout | undefined;
  #chargeTimer: NodeJS.Timeout | undefined;
  #reading: AbortController | undefined;
  #failures = 0;

  readonly onDidChange = this.#changed.event;

  constructor(connection: ConnectionManager, memory: vscode.Memento, log: Log) {
    this.#connection = connection;
    this.#memory = memory;
    this.#log = log;
    this.#subscriptions = [connection.onDidChange(() => this.#reconnect())];
  }

  get state(): BalanceState {
    return this.#state;
  }

  /** Reads the balance now. Never rejects: a failure becomes part of the state. */
  async refresh(): Promise<void> {
    const connection = this.#connection.open;
    if (connection === undefined) return;
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    try {
      const balance = await connection.client.balance({ signal: reading.signal });
      if (this.#reading === reading) await this.#succeed(connection, balance);
    } catch (error) {
      if (!reading.signal.aborted) this.#fail(error);
    }
  }

  /** Called after an answer: reads the balance now, and again when the service should have charged the request. */
  async refreshAfterCharge(): Promise<void> {
    clearTimeout(this.#chargeTimer);
    this.#chargeTimer = setTimeout(() => this.refresh(), CHARGE_DELAY_MS);
    await this.refresh();
  }

  dispose(): void {
    this.#stop();
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  async #reconnect(): Promise<void> {
    this.#stop();
    const connection = this.#connection.open;
    this.#failures = 0;
    this.#set(connection === undefined ? { connection: 'none' } : this.#lastKnown(connection));
    await this.refresh();
  }

  #lastKnown(connection: OpenConnection): BalanceState {
    const stored = this.#memory.get<StoredBalance>(STATE_KEY);
    const state = stateOf(connection);
    if (stored?.identity !== connection.identity) return state;
    return { ...state, balance: readBalance(stored.raw), readAt: stored.readAt };
  }

  async #succeed(connection: OpenConnection, balance: Balance): Promise<void> {
    const readAt = Date.now();
    this.#failures = 0;
    this.#set({ ...stateOf(connection), balance, readAt });
    this.#schedule();
    await this.#memory.update(STATE_KEY, { identity: connection.identity, readAt, raw: balance.raw });
  }

  #fail(error: unknown): void {
    this.#failures += 1;
    this.#log.warn('The balance could not be read', error);
    const problem = errorText(error);
    this.#set({ ...this.#state, problem });
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#connection.open === undefined) return;
    const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (this.#failures - 1), MAX_BACKOFF_MS);
    this.#timer = setTimeout(() => this.refresh(), this.#failures === 0 ? REFRESH_MS : backoff);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#chargeTimer);
    this.#reading?.abort();
  }

  #set(state: BalanceState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

function stateOf({ kind, baseAddress }: OpenConnection): BalanceState {
  return { connection: kind, ...(kind === 'hosted' && { host: new URL(baseAddress).host }) };
}
