import * as vscode from 'vscode';
import type { Entry } from '../../chat/conversation/entry.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import type { RunMessage } from '../../pages/chat/panelMessages.ts';
import type { RunView } from '../../pages/chat/protocol.ts';
import { Lazy } from '../lazy.ts';

/** Answers the questions of a chat in several steps. The implementation is in a folder above this one, so it is passed in. */
export interface Agent {
  /** The last run of the chat. */
  readonly view: RunView | undefined;
  /** Whether a run is in progress. The chat cannot be changed meanwhile. */
  readonly isBusy: boolean;
  /**
   * @throws an error that explains what to do, if the agent cannot run in the chat: in an untrusted folder, or while
   * another window does.
   */
  checkMayAct(): Promise<void>;
  /**
   * Answers the last question of these entries, or continues the run that they end with. Resolves at its end.
   * @param release ends what the user's limits have reserved for the first request.
   */
  start(entries: readonly Entry[], release: () => void): Promise<void>;
  receive(message: RunMessage): Promise<void>;
  /** Called when the chat is shown, and when it no longer is. */
  show(): void;
  hide(): void;
  stop(): void;
  /** Stops because the window closes, so that the run can be continued. */
  interrupt(): void;
  /** Resolves when no run is in progress any more. */
  readonly ended: Promise<unknown>;
  /** Adds the tools to a request, and what the model must know about them. */
  equip(request: ChatRequest): ChatRequest;
}

/**
 * The agent of the chat from outside: it is loaded when a chat acts, or is shown after it has acted.
 */
export class RunFollower implements vscode.Disposable {
  readonly #agent: Lazy<Agent>;
  readonly #changed = new vscode.EventEmitter<RunView | undefined>();

  readonly onDidChange = this.#changed.event;

  constructor(load: (onDidChange: (run: RunView | undefined) => void) => Promise<Agent>) {
    this.#agent = new Lazy(() => load((run) => this.#changed.fire(run)));
  }

  /** Whether the agent can act here: it needs a folder, and the user's trust in what is there. */
  get canAct(): boolean {
    return vscode.workspace.isTrusted && (vscode.workspace.workspaceFolders ?? []).length > 0;
  }

  /** The last run of the chat. */
  get view(): RunView | undefined {
    return this.#agent.current?.view;
  }

  /** Whether a run is in progress. The chat cannot be changed meanwhile. */
  get isBusy(): boolean {
    return this.#agent.current?.isBusy === true;
  }

  /** Makes the agent ready before its first question, whose estimate includes the tools. */
  async load(): Promise<void> {
    await this.#agent.get();
  }

  /** Adds the tools to a request, once the agent is loaded. */
  equip(request: ChatRequest): ChatRequest {
    return this.#agent.current?.equip(request) ?? request;
  }

  /** @throws with what to do, if the chat cannot act here. */
  async checkMayAct(): Promise<void> {
    await (await this.#agent.get()).checkMayAct();
  }

  /**
   * Loads the agent. The function that it returns answers the last question of the entries with a run: the agent is busy
   * when it returns, and its promise resolves at the end of the run.
   */
  async ready(): Promise<Agent['start']> {
    const agent = await this.#agent.get();
    return (entries, release) => agent.start(entries, release);
  }

  async receive(message: RunMessage): Promise<void> {
    await (await this.#agent.get()).receive(message);
  }

  /** Called when the chat is shown, and when it no longer is. */
  show(): void {
    this.#agent.current?.show();
  }

  hide(): void {
    this.#agent.current?.hide();
  }

  stop(): void {
    this.#agent.current?.stop();
  }

  /** Stops because the window closes, so that the run can be continued. */
  interrupt(): void {
    this.#agent.current?.interrupt();
  }

  /** Resolves when the run in progress has ended and everything is recorded. */
  async ended(): Promise<void> {
    await this.#agent.current?.ended;
  }

  dispose(): void {
    this.#agent.dispose();
    this.#changed.dispose();
  }
}
