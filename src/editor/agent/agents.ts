import * as vscode from 'vscode';
import { FileClaims } from '../../agent/fileClaims.ts';
import { spentMoneyOn } from '../../agent/runHistory.ts';
import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import { titleOf } from '../../chat/conversation/title.ts';
import type { ReviewPageMessage } from '../../pages/agentReview/reviewMessages.ts';
import type { RunView } from '../../pages/chat/protocol.ts';
import type { BaseServices } from '../baseServices.ts';
import type { Chat } from '../chat/chat.ts';
import type { ReviewTab } from '../chat/review/reviewTab.ts';
import { ChatAgent } from './agent.ts';
import type { AgentServices } from './agentServices.ts';
import { AgentUses } from './agentUses.ts';
import { Checkpoint } from './checkpoints.ts';
import { ChosenTools } from './chosenTools.ts';
import type { EnvironmentServices } from './commandEnvironment.ts';
import { CommandProcesses } from './commandProcesses.ts';
import { CommandTerminals } from './commandTerminals.ts';
import { type ReviewableRun, type ReviewedRun, RunReview } from './review/runReview.ts';

export interface AgentsServices
  extends Omit<
      AgentServices,
      'terminals' | 'commands' | 'claims' | 'chosenTools' | 'uses' | 'checkpointOf' | 'reviewChanges'
    >,
    EnvironmentServices,
    Pick<BaseServices, 'connection'> {
  readonly store: ConversationStore;
  readonly reviewTab: ReviewTab;
  /** Workspace state: the run that is reviewed, and the tools that are chosen. */
  readonly memory: vscode.Memento;
  /** Shows a chat, and resolves when it is shown. */
  readonly openChat: (id: string) => Promise<unknown>;
}

/** The agents of the window's chats, and what they share. */
export class ChatAgents implements vscode.Disposable {
  readonly #services: AgentsServices;
  readonly #shared: AgentServices;
  readonly #terminals: CommandTerminals;
  readonly #commands: CommandProcesses;
  readonly #review: RunReview;
  readonly #subscription: vscode.Disposable;
  /** By the IDs of their chats. */
  readonly #agents = new Map<string, ChatAgent>();
  readonly #checkpoints = new Map<string, Checkpoint>();

  constructor(services: AgentsServices) {
    const { memory, reviewTab, store, connection, log } = services;
    this.#services = services;
    this.#terminals = new CommandTerminals(services);
    this.#commands = new CommandProcesses(this.#terminals, () => {
      for (const agent of this.#agents.values()) agent.update();
    });
    this.#review = new RunReview(reviewTab, memory, { find: (place) => this.#reviewableRun(place), log });
    this.#subscription = connection.onDidChange(({ kind }) => {
      for (const agent of this.#agents.values()) agent.switchSandbox(kind === 'sandbox' ? 'on' : 'off');
    });
    this.#shared = {
      ...services,
      terminals: this.#terminals,
      commands: this.#commands,
      claims: new FileClaims(),
      chosenTools: new ChosenTools(memory),
      uses: new AgentUses(memory),
      checkpointOf: (chat, run) => this.#checkpointOf(chat, run),
      reviewChanges: async (run) => {
        await store.whenWritten();
        await this.#review.show(run);
      },
    };
  }

  /** Creates the agent of a chat, which disposes it. */
  create(chat: Chat, onDidChange: (run: RunView | undefined) => void): ChatAgent {
    const agent: ChatAgent = new ChatAgent(chat, this.#shared, onDidChange, () => {
      if (this.#agents.get(chat.id) === agent) this.#agents.delete(chat.id);
    });
    this.#agents.set(chat.id, agent);
    return agent;
  }

  /** Handles a message of the page that reviews the changes of a run. */
  receiveReview(message: ReviewPageMessage): Promise<void> {
    return this.#review.receive(message);
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#review, this.#commands, this.#terminals).dispose();
  }

  #checkpointOf(chat: string, run: string): Checkpoint {
    const path = this.#services.store.checkpointPath(chat, run);
    const checkpoint = this.#checkpoints.get(path) ?? new Checkpoint(path);
    this.#checkpoints.set(path, checkpoint);
    return checkpoint;
  }

  /** The run may be of a chat that is not shown. */
  async #reviewableRun({ chat, run }: ReviewedRun): Promise<ReviewableRun | undefined> {
    const stored = await this.#services.store.read(chat);
    if (stored === undefined || stored.conversation.entry(run) === undefined) return undefined;
    return {
      checkpoint: this.#checkpointOf(chat, run),
      title: titleOf(stored.conversation),
      head: { startedAt: stored.conversation.timeOf(run), ...spentMoneyOn(stored.conversation, run) },
      decided: async () => this.#agents.get(chat)?.countChanges(),
      planRestore: async () => (await this.#shown(chat)).restoring.plan(run),
      restore: async (choice) => (await this.#shown(chat)).restoring.restore(run, choice),
    };
  }

  async #shown(chat: string): Promise<ChatAgent> {
    await this.#services.openChat(chat);
    const agent = this.#agents.get(chat);
    if (agent === undefined) throw new Error('The chat of the reviewed run has no agent.');
    return agent;
  }
}
