import * as vscode from 'vscode';
import type { ChatCall } from '../../calls/chatCall.ts';
import type { ChatEvent } from '../../formats/answer.ts';
import type { BalanceReading } from '../../ledger/balanceReadings.ts';
import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import { BoundedMap } from '../../rules/boundedMap.ts';
import type { OpenConnection } from '../../service/connection.ts';
import type { Prices } from '../../service/modelPrices.ts';
import type { CallOptions } from '../../service/transport.ts';
import type { ModelList } from '../models/modelList.ts';
import type { Settings } from '../settings/settings.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';
import type { CallWatch } from './callWatch.ts';
import type { RouteServices } from './routedClient.ts';

/** The number of ended calls whose headers are kept. */
const MAX_REMEMBERED = 200;

/**
 * How often a call's usage so far is sent to the ledger, in milliseconds. A chat's file is written at the same rate.
 */
const RENEWAL_MS = 200;

/** The maximum number of rows of a conversation that are read in one query. */
const MAX_ROWS = 50;

/** A request of a part of the editor, with the connection to send it over. */
export interface ConnectedCall extends Omit<ChatCall, 'client' | 'upstream'> {
  readonly connection: OpenConnection;
}

/** Sends requests of the extension to the service, and enters each call in the ledger that the gateway also writes. */
export class CallRecorder implements vscode.Disposable {
  readonly #worker: GatewayWorker;
  readonly #ledger: string;
  readonly #models: ModelList;
  readonly #settings: Settings;
  readonly #routing: RouteServices;
  readonly #subscription: vscode.Disposable;
  readonly #began = new vscode.EventEmitter<void>();
  readonly #recorded = new vscode.EventEmitter<LedgerEntry>();
  readonly #running = new Set<CallWatch>();
  /** The oldest first. */
  readonly #ended = new BoundedMap<string, CallWatch>(MAX_REMEMBERED);
  /** A reading that waits for the worker, which is not started just for it. */
  #waiting: BalanceReading | undefined;

  readonly onDidBegin = this.#began.event;
  /** Fires when a call has ended and was sent to the ledger. */
  readonly onDidRecord = this.#recorded.event;

  /** @param ledger The path of the ledger's database file. */
  constructor(ledger: string, models: ModelList, routing: RouteServices) {
    const { worker, settings } = routing;
    this.#routing = routing;
    this.#worker = worker;
    this.#ledger = ledger;
    this.#models = models;
    this.#settings = settings;
    this.#subscription = worker.onDidCancelCall((id) => this.find(id)?.cancel());
  }

  /** The current prices of a model of the catalog. */
  readonly pricesOf = (model: string): Prices | undefined => this.#models.find(model);

  /** The calls of this window in progress. */
  get running(): readonly CallWatch[] {
    return [...this.#running];
  }

  /** The calls of this window that have ended recently, the oldest first. */
  get ended(): readonly CallWatch[] {
    return [...this.#ended.values()];
  }

  /** Finds a call of this window that is in progress or ended recently. */
  find(id: string): CallWatch | undefined {
    return this.running.find((call) => call.id === id) ?? this.#ended.get(id);
  }

  /**
   * Like `streamChat`, which is loaded with the first call. The worker writes the entry after the answer, also if the
   * call failed or its reader stopped reading.
   */
  async *chat({ connection, ...rest }: ConnectedCall): AsyncGenerator<ChatEvent, void, undefined> {
    const { bodyOf, routedCall, watchCall } = await import('./callWatch.ts');
    const { client, kind: upstream } = connection;
    const direct = { ...rest, client, upstream, priced: () => undefined };
    const call = this.#settings.isRoute(rest.request.model) ? await routedCall(direct, this.#routing) : direct;
    const watch = watchCall(call, this.#settings);
    const renew = () => this.#begin(watch);
    const onRequest: CallOptions['onRequest'] = (head) => {
      call.options?.onRequest?.(head);
      renew();
    };
    const renewal = setInterval(renew, RENEWAL_MS);
    this.#running.add(watch);
    this.#began.fire();
    this.#reportCalls();
    let isAnswered = false;
    try {
      for await (const event of watch.events({ ...call, options: { ...call.options, onRequest } })) {
        if (!isAnswered) this.#reportCalls();
        isAnswered = true;
        yield event;
      }
    } finally {
      clearInterval(renewal);
      await call.priced();
      this.#record(watch);
      // A title is part of the chat's session, but not of the context that grows in it.
      const isMeasured = watch.session !== undefined && call.source !== 'chatTitle';
      if (isMeasured && this.#settings.measuresContext !== false) this.#measure(watch, bodyOf(call));
    }
  }

  /** Enters a call that was not sent with {@link chat}. */
  enter(entry: LedgerEntry): void {
    this.#worker.send({ type: 'recordCall', ledger: this.#ledger, entry, session: undefined });
    this.#recorded.fire(entry);
  }

  /** The latest rows of a conversation in the ledger, including those of closed windows. */
  async rowsOf(conversationId: string): Promise<readonly ExchangeRow[]> {
    const question = { ledger: this.#ledger, filter: { conversationId }, limit: MAX_ROWS };
    return (await this.#worker.rpc.readLedger('exchanges', question)).rows;
  }

  /** Records the remaining balance that the service has reported. */
  recordBalance(reading: BalanceReading): void {
    if (!this.#worker.isRunning) {
      // The first of several readings is kept, because spending after it is recorded.
      if (this.#waiting?.account.id !== reading.account.id) this.#waiting = reading;
      return;
    }
    this.#sendWaiting();
    this.#worker.send({ type: 'recordBalance', ledger: this.#ledger, reading });
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#began, this.#recorded).dispose();
  }

  /** Writes the call's current state, so that the ledger keeps it if this process crashes. */
  #begin(watch: CallWatch): void {
    const entry = watch.ledgerEntry(this.pricesOf);
    this.#worker.send({ type: 'beginCall', ledger: this.#ledger, entry, session: watch.session });
  }

  #record(watch: CallWatch): void {
    const entry = watch.ledgerEntry(this.pricesOf);
    this.#sendWaiting();
    this.#worker.send({ type: 'recordCall', ledger: this.#ledger, entry, session: watch.session });
    this.#remember(watch);
    this.#recorded.fire(entry);
  }

  /** Has the worker measure what an ended call consisted of. */
  #measure(watch: CallWatch, body: Uint8Array<ArrayBuffer>): void {
    const entry = watch.ledgerEntry(this.pricesOf);
    if (entry.usage === undefined) return;
    const keepsNames = this.#settings.measuresContext === 'fileNames';
    this.#worker.send({ type: 'measureCall', ledger: this.#ledger, entry, session: watch.session, body, keepsNames });
  }

  #remember(watch: CallWatch): void {
    this.#running.delete(watch);
    this.#reportCalls();
    this.#ended.set(watch.id, watch);
  }

  /**
   * Reports running calls to the other windows. Not needed without a running worker, since this window then shares no
   * gateway.
   */
  #reportCalls(): void {
    if (!this.#worker.isRunning) return;
    const calls = this.running.map((call) => {
      const { end: _, ...facts } = call.entry();
      return facts;
    });
    this.#worker.send({ type: 'reportCalls', calls });
  }

  #sendWaiting(): void {
    const reading = this.#waiting;
    this.#waiting = undefined;
    if (reading !== undefined) this.#worker.send({ type: 'recordBalance', ledger: this.#ledger, reading });
  }
}
