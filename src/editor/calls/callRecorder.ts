import * as vscode from 'vscode';
import type { ChatEvent } from '../../formats/conversation.ts';
import type { BalanceReading } from '../../gateway/ledger/balanceReadings.ts';
import type { OpenConnection } from '../connection/connection.ts';
import type { GatewayWorker } from '../gateway/gatewayWorker.ts';
import type { ModelList } from '../models/modelList.ts';
import { type ChatCall, recordedChat } from './recordedChat.ts';

/** A question of a part of the editor, with who is to answer it. */
export interface EditorCall extends Omit<ChatCall, 'client' | 'upstream'> {
  readonly connection: OpenConnection;
}

/** Asks the service for parts of the editor, and enters each call in the ledger that the gateway writes too. */
export class CallRecorder implements vscode.Disposable {
  readonly #worker: GatewayWorker;
  readonly #ledger: string;
  readonly #models: ModelList;
  readonly #recorded = new vscode.EventEmitter<EditorCall['source']>();
  /** A reading that waits, since no worker runs yet and it alone is no reason to start one. */
  #waiting: BalanceReading | undefined;

  /** A call of this part of the editor is over and in the ledger. */
  readonly onDidRecord = this.#recorded.event;

  /** @param ledger The path of the ledger. */
  constructor(worker: GatewayWorker, ledger: string, models: ModelList) {
    this.#worker = worker;
    this.#ledger = ledger;
    this.#models = models;
  }

  /** Like `streamChat`. The entry is written behind the answer, in the worker. */
  chat({ connection, ...call }: EditorCall): AsyncGenerator<ChatEvent, void, undefined> {
    const { client, kind: upstream } = connection;
    return recordedChat(
      { ...call, client, upstream },
      () => this.#models.find(call.request.model),
      (entry) => {
        this.#sendWaiting();
        this.#worker.send({ type: 'recordCall', ledger: this.#ledger, entry });
        this.#recorded.fire(call.source);
      },
    );
  }

  /** What the service says is left on the key. */
  recordBalance(reading: BalanceReading): void {
    if (!this.#worker.isRunning) {
      // Of several the first one counts: what is spent from then on is recorded.
      if (this.#waiting?.account.id !== reading.account.id) this.#waiting = reading;
      return;
    }
    this.#sendWaiting();
    this.#worker.send({ type: 'recordBalance', ledger: this.#ledger, reading });
  }

  dispose(): void {
    this.#recorded.dispose();
  }

  #sendWaiting(): void {
    const reading = this.#waiting;
    this.#waiting = undefined;
    if (reading !== undefined) this.#worker.send({ type: 'recordBalance', ledger: this.#ledger, reading });
  }
}
