import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExchangeRecord } from '../../gateway/exchanges/record.ts';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import type { LedgerQuestion, LedgerQuestions } from '../../gateway/ledger/ledgerQuestion.ts';
import type {
  AnswerMessage,
  EditorRequest,
  HostMessage,
  ListenCommand,
  RunningMessage,
  WorkerMessage,
} from '../../gateway/workerProtocol.ts';
import type { Log } from '../log/log.ts';
import type { SandboxPort, SandboxQuestion } from './sandboxFetch.ts';
import { TrafficPort } from './trafficPort.ts';

/**
 * For V8's young generation, three times the semi-space of `npm run gateway`. In a larger one, bytes that pass through
 * wait for the collection of the whole heap, which costs twice the CPU and more memory: see docs/performance.md.
 */
const YOUNG_GENERATION_MB = 3;

export interface ListeningAddress {
  /** Base address with its prefix, such as `http://127.0.0.1:8787/api/v1`. */
  readonly address: string;
  readonly port: number;
  /** Whether the worker of this window holds the port, or that of another. */
  readonly owner: 'self' | 'other';
}

/** Why a listener did not start. `code` is the system's, such as `EADDRINUSE`. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

type LedgerMessage = Extract<WorkerMessage, { type: 'ledgerAnswer' }>;

/** The editor waits four or five seconds for its extensions to end. */
const LAST_GRACE_MS = 2_500;

interface Waiting {
  /** Without an address when there was no gateway to join. */
  readonly resolve: (address: ListeningAddress | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** The worker thread that the gateway and the sandbox run in. It starts when the first of them is needed. */
export class GatewayWorker implements vscode.Disposable, SandboxPort {
  readonly #script: string;
  readonly #log: Log;
  readonly #exchanged = new vscode.EventEmitter<ExchangeRecord>();
  readonly #moved = new vscode.EventEmitter<ListeningAddress>();
  readonly #ended = new vscode.EventEmitter<string | undefined>();
  readonly #keysReceived = new vscode.EventEmitter<readonly IssuedKey[]>();
  readonly #askedEditor = new vscode.EventEmitter<EditorRequest>();
  readonly #running = new vscode.EventEmitter<RunningMessage>();
  readonly #cancelledCall = new vscode.EventEmitter<string>();
  readonly #lost = new vscode.EventEmitter<void>();
  /** Who hears the answers to requests under way. */
  readonly #receivers = new Map<number, (message: AnswerMessage) => void>();
  readonly #ledgerReceivers = new Map<number, (message: Pick<LedgerMessage, 'answer' | 'problem'>) => void>();
  #lastRequestId = 0;
  #listening: Waiting | undefined;
  #closed: (() => void) | undefined;
  #worker: Worker | undefined;
  #shutDown: Promise<void> | undefined;
  readonly #watchers = new Set<object>();

  /** An exchange through the gateway has ended. */
  readonly onDidExchange = this.#exchanged.event;
  /** The gateway runs in another window from now on, or in this one. */
  readonly onDidMove = this.#moved.event;
  /** The gateway was stopped in another window, or has ended with a problem. */
  readonly onDidClose = this.#ended.event;
  /** The local keys were changed in another window. */
  readonly onDidReceiveKeys = this.#keysReceived.event;
  /** The gateway needs a model of another extension. Answered by {@link send}. */
  readonly onDidAskEditor = this.#askedEditor.event;
  /** What runs through the gateway and in the windows that share it, while it is watched: see {@link watchTraffic}. */
  readonly onDidTellRunning = this.#running.event;
  /** A call of this window is ended in another one: its id. */
  readonly onDidCancelCall = this.#cancelledCall.event;
  readonly traffic = new TrafficPort((message) => this.send(message));
  /** The worker died, and the gateway with it. The next request starts another one. */
  readonly onDidLose = this.#lost.event;

  constructor(extensionUri: vscode.Uri, log: Log) {
    this.#script = vscode.Uri.joinPath(extensionUri, 'dist', 'gatewayWorker.js').fsPath;
    this.#log = log;
  }

  /** @throws {ListenError} when the port cannot be had or the upstream is not usable. */
  async listen(command: Omit<ListenCommand, 'type'>): Promise<ListeningAddress> {
    const address = await this.#listen(command);
    if (address === undefined) throw new ListenError(l10n.t('The gateway was stopped while it started.'), undefined);
    return address;
  }

  /** Joins the gateway of another window. @returns `undefined` when none runs. */
  join(command: Omit<ListenCommand, 'type'>): Promise<ListeningAddress | undefined> {
    return this.#listen({ ...command, onlyJoin: true });
  }

  #listen(command: Omit<ListenCommand, 'type'>): Promise<ListeningAddress | undefined> {
    return new Promise((resolve, reject) => {
      this.#listening = { resolve, reject };
      this.send({ type: 'listen', ...command });
    });
  }

  /** Resolves when the port is free again; streams under way get a moment to end. */
  close(): Promise<void> {
    if (this.#worker === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#closed = resolve;
      this.send({ type: 'close' });
    });
  }

  ask(question: SandboxQuestion, receive: (message: AnswerMessage) => void): () => void {
    this.#lastRequestId += 1;
    const requestId = this.#lastRequestId;
    this.#receivers.set(requestId, receive);
    this.send({ type: 'ask', requestId, ...question });
    return () => {
      if (this.#receivers.delete(requestId)) this.send({ type: 'cancel', requestId });
    };
  }

  /** Asks something of a ledger. @throws when it cannot be read. */
  readLedger<Name extends keyof LedgerQuestions>(
    name: Name,
    asks: LedgerQuestions[Name]['asks'],
  ): Promise<LedgerQuestions[Name]['answer']> {
    this.#lastRequestId += 1;
    const requestId = this.#lastRequestId;
    return new Promise((resolve, reject) => {
      this.#ledgerReceivers.set(requestId, ({ answer, problem }) => {
        this.#ledgerReceivers.delete(requestId);
        if (answer === undefined) reject(new Error(problem));
        else resolve(answer as LedgerQuestions[Name]['answer']);
      });
      this.send({ type: 'readLedger', requestId, question: { name, asks } as LedgerQuestion });
    });
  }

  /**
   * Of a worker that has not started there is nothing to watch; one that starts later is watched.
   * @param watcher stands for who asks: it is watched as long as anybody does.
   */
  watchTraffic(isOn: boolean, watcher: object = this): void {
    if (isOn) this.#watchers.add(watcher);
    else this.#watchers.delete(watcher);
    const isWatched = this.#watchers.size > 0;
    this.#worker?.postMessage({ type: 'watchTraffic', isOn: isWatched } satisfies HostMessage);
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  send(message: HostMessage): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  /** Leaves the gateway to another window; resolves when the streams that run through this one have ended. */
  shutDown(): Promise<void> {
    this.#shutDown ??= this.#stop();
    return this.#shutDown;
  }

  dispose(): void {
    void this.shutDown();
    const toWindow = [this.#exchanged, this.#moved, this.#ended, this.#keysReceived, this.#askedEditor, this.#lost];
    for (const emitter of [...toWindow, this.#running, this.#cancelledCall]) emitter.dispose();
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.removeAllListeners('exit').unref();
    const ended = once(worker, 'exit');
    worker.postMessage({ type: 'stop', graceMs: LAST_GRACE_MS } satisfies HostMessage);
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } });
    worker.on('message', (message: WorkerMessage) => this.#receive(message));
    worker.on('error', (error) => this.#log.error('The gateway’s worker failed', error));
    worker.on('exit', (code) => this.#lose(code));
    if (this.#watchers.size > 0) worker.postMessage({ type: 'watchTraffic', isOn: true } satisfies HostMessage);
    return worker;
  }

  #receive(message: WorkerMessage): void {
    switch (message.type) {
      case 'listening':
        this.#place(message);
        return;
      case 'failed':
        this.#fail(new ListenError(message.message, message.code));
        return;
      case 'closed':
        this.#close(message.problem);
        return;
      case 'exchange':
        this.#exchanged.fire(message.record);
        return;
      case 'ledgerAnswer':
        this.#ledgerReceivers.get(message.requestId)?.(message);
        return;
      case 'localKeys':
        this.#keysReceived.fire(message.localKeys);
        return;
      case 'askEditor':
      case 'cancelEditor':
        this.#askedEditor.fire(message);
        return;
      case 'running':
        this.#running.fire(message);
        return;
      case 'cancelCall':
        this.#cancelledCall.fire(message.id);
        return;
      case 'trafficAnswer':
        this.traffic.receive(message);
        return;
      case 'log':
        this.#log[message.level](`Gateway: ${message.message}`);
        return;
      default:
        this.#answer(message);
    }
  }

  #place({ address, port, owner }: ListeningAddress): void {
    const listening = this.#listening;
    this.#listening = undefined;
    if (listening === undefined) this.#moved.fire({ address, port, owner });
    else listening.resolve({ address, port, owner });
  }

  #close(problem: string | undefined): void {
    const [closed, listening] = [this.#closed, this.#listening];
    this.#closed = undefined;
    if (closed !== undefined) {
      closed();
      return;
    }
    this.#listening = undefined;
    if (listening === undefined) this.#ended.fire(problem);
    else listening.resolve(undefined);
  }

  #answer(message: AnswerMessage): void {
    this.#receivers.get(message.requestId)?.(message);
    if (message.type === 'answerEnd' || message.type === 'answerFail') this.#receivers.delete(message.requestId);
  }

  #fail(error: ListenError): void {
    if (this.#listening === undefined) this.#log.error('The gateway failed', error);
    else this.#listening.reject(error);
    this.#listening = undefined;
  }

  #lose(code: number): void {
    const message = l10n.t('The gateway’s worker ended with code {0}.', code);
    this.#log.error(message);
    this.#worker = undefined;
    if (this.#listening !== undefined) this.#fail(new ListenError(message, undefined));
    this.#closed?.();
    for (const requestId of this.#receivers.keys()) this.#answer({ type: 'answerFail', requestId, message });
    for (const receive of this.#ledgerReceivers.values()) receive({ problem: message });
    this.traffic.lose();
    this.#lost.fire();
  }
}
