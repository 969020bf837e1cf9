import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExchangeRecord } from '../../gateway/core/exchangeRecord.ts';
import type { SessionNotice } from '../../gateway/core/sessionNotice.ts';
import type { SharedKeys } from '../../gateway/sharing/protocol.ts';
import type { RunningMessage } from '../../gateway/traffic/protocol.ts';
import type { EditorRequest } from '../../gateway/upstreams/editorModels/protocol.ts';
import type { HostMessage, WorkerMessage, WorkerSettings } from '../../gateway/worker/protocol.ts';
import type { Log } from '../log/log.ts';
import { GatewayListener } from './gatewayListener.ts';
import { WorkerRpc } from './workerRpc.ts';

/**
 * The limit for V8's young generation, which is three semi-spaces. In a larger one, bytes that only pass through wait
 * for the collection of the whole heap, which costs twice the CPU and more memory. See ARCHITECTURE.md.
 */
const YOUNG_GENERATION_MB = 3;

/** Below the four to five seconds that the editor waits for its extensions to deactivate. */
const LAST_GRACE_MS = 2_500;

/**
 * The worker thread that runs the gateway and the sandbox. It starts when one of them is first needed. Requests of this
 * window go through {@link rpc}; everything that the worker reports on its own is an event.
 */
export class GatewayWorker implements vscode.Disposable {
  readonly listener: GatewayListener;
  readonly rpc = new WorkerRpc((message) => this.send(message));
  readonly #script: string;
  readonly #settings: WorkerSettings;
  readonly #log: Log;
  readonly #exchanged = new vscode.EventEmitter<ExchangeRecord>();
  readonly #entered = new vscode.EventEmitter<readonly string[]>();
  readonly #noticed = new vscode.EventEmitter<SessionNotice>();
  readonly #keysReceived = new vscode.EventEmitter<SharedKeys>();
  readonly #askedEditor = new vscode.EventEmitter<EditorRequest>();
  readonly #running = new vscode.EventEmitter<RunningMessage>();
  readonly #cancelledCall = new vscode.EventEmitter<string>();
  readonly #exited = new vscode.EventEmitter<void>();
  readonly #watchers = new Set<object>();
  #worker: Worker | undefined;
  #sandboxDelay: HostMessage | undefined;
  #shutDown: Promise<void> | undefined;

  /** Fires when an exchange through the gateway has ended. */
  readonly onDidExchange = this.#exchanged.event;
  /** Fires with the IDs of the gateway's exchanges that can now be read from the ledger. */
  readonly onDidEnter = this.#entered.event;
  /** Fires when the user needs to be notified or asked about a session of the gateway. */
  readonly onDidNoticeSession = this.#noticed.event;
  /** Fires with the local keys when they were changed in another window. */
  readonly onDidReceiveKeys = this.#keysReceived.event;
  /** Fires when the gateway needs a model of another extension. The reply is sent with {@link send}. */
  readonly onDidAskEditor = this.#askedEditor.event;
  /**
   * Fires with the requests running through the gateway and in the windows that share it, while they are watched. See
   * {@link watchTraffic}.
   */
  readonly onDidReportRunning = this.#running.event;
  /** Fires with the ID of a call of this window that was canceled in another window. */
  readonly onDidCancelCall = this.#cancelledCall.event;
  /** Fires when the worker has crashed, and the gateway with it. The next request starts another worker. */
  readonly onDidExit = this.#exited.event;

  constructor(extensionUri: vscode.Uri, storageUri: vscode.Uri, log: Log) {
    this.#settings = { sandboxAccount: vscode.Uri.joinPath(storageUri, 'sandbox-account').fsPath };
    this.#script = vscode.Uri.joinPath(extensionUri, 'dist', 'gatewayWorker.js').fsPath;
    this.#log = log;
    this.listener = new GatewayListener(this, log);
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  send(message: HostMessage): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  /**
   * Starts or stops watching running requests. If the worker has not started, watching begins when it does.
   * @param watcher Identifies the caller. Watching lasts until every watcher has stopped it.
   */
  watchTraffic(isOn: boolean, watcher: object = this): void {
    if (isOn) this.#watchers.add(watcher);
    else this.#watchers.delete(watcher);
    const isWatched = this.#watchers.size > 0;
    this.#worker?.postMessage({ type: 'watchTraffic', isOn: isWatched } satisfies HostMessage);
  }

  /** Sets the pause between the events of the sandbox's streams, in milliseconds. */
  setSandboxDelay(delayMs: number): void {
    this.#sandboxDelay = { type: 'setSandboxDelay', delayMs };
    this.#worker?.postMessage(this.#sandboxDelay);
  }

  /**
   * Hands the gateway over to another window. Resolves when the streams that run through this window have ended.
   * @param before Work that still needs the worker: the editor disposes everything as soon as deactivation begins.
   */
  shutDown(before?: () => Promise<void>): Promise<void> {
    this.#shutDown ??= this.#stop(before);
    return this.#shutDown;
  }

  dispose(): void {
    void this.shutDown();
    this.listener.dispose();
    const toWindow = [
      this.#exchanged,
      this.#entered,
      this.#noticed,
      this.#keysReceived,
      this.#askedEditor,
      this.#running,
      this.#cancelledCall,
    ];
    vscode.Disposable.from(...toWindow, this.#exited).dispose();
  }

  async #stop(before: (() => Promise<void>) | undefined): Promise<void> {
    await before?.();
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.removeAllListeners('exit').unref();
    const ended = once(worker, 'exit');
    worker.postMessage({ type: 'stop', graceMs: LAST_GRACE_MS } satisfies HostMessage);
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      workerData: this.#settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.on('message', (message: WorkerMessage) => this.#receive(message));
    worker.on('error', (error) => this.#log.error('The gateway’s worker failed', error));
    worker.on('exit', (code) => this.#exit(code));
    if (this.#sandboxDelay !== undefined) worker.postMessage(this.#sandboxDelay);
    if (this.#watchers.size > 0) worker.postMessage({ type: 'watchTraffic', isOn: true } satisfies HostMessage);
    return worker;
  }

  #receive(message: WorkerMessage): void {
    switch (message.type) {
      case 'listening':
      case 'failed':
      case 'closed':
      case 'ran':
        this.listener.receive(message);
        break;
      case 'exchange':
        this.#exchanged.fire(message.record);
        break;
      case 'entered':
        this.#entered.fire(message.ids);
        break;
      case 'session':
        this.#noticed.fire(message.notice);
        break;
      case 'localKeys':
        this.#keysReceived.fire(message);
        break;
      case 'askEditor':
      case 'cancelEditor':
        this.#askedEditor.fire(message);
        break;
      case 'running':
        this.#running.fire(message);
        break;
      case 'cancelCall':
        this.#cancelledCall.fire(message.id);
        break;
      case 'log':
        this.#log[message.level](`Gateway: ${message.message}`);
        break;
      default:
        this.rpc.receive(message);
    }
  }

  #exit(code: number): void {
    const message = l10n.t('The gateway’s worker exited with code {0}.', code);
    this.#log.error(message);
    this.#worker = undefined;
    this.listener.exit(message);
    this.rpc.fail(new Error(message));
    this.#exited.fire();
  }
}
