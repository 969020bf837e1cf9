/** A window with a chat, whose service, files, and limits take as long as a test wants. */

import type { ChatCall } from '../../src/calls/chatCall.ts';
import type { AgentsServices, ChatAgents } from '../../src/editor/agent/agents.ts';
import type { Chat } from '../../src/editor/chat/chat.ts';
import { ChatSession, type ChatSessionServices } from '../../src/editor/chat/chatSession.ts';
import { Chats, type ChatsServices } from '../../src/editor/chat/chats.ts';
import type { EstimateInput } from '../../src/editor/chat/estimator.ts';
import type { Agent } from '../../src/editor/chat/runFollower.ts';
import type { LimitMonitor } from '../../src/editor/limits/limitMonitor.ts';
import type { ChatEvent } from '../../src/formats/answer.ts';
import type { ChatRequest } from '../../src/formats/conversation.ts';
import type { ReviewState } from '../../src/pages/agentReview/protocol.ts';
import type { ReviewPageMessage } from '../../src/pages/agentReview/reviewMessages.ts';
import type { ChatHostMessage, ChatState, RunView } from '../../src/pages/chat/protocol.ts';
import { reduce } from '../../src/panels/chat/reduce.ts';
import type { Model } from '../../src/service/modelCatalog.ts';
import type { CallOptions } from '../../src/service/transport.ts';
import { lm } from './editorApi/vscode.ts';
import { type Delay, type Disk, memoryStore } from './memoryStore.ts';

/** A request that has arrived at the service, by the text of its last message. */
export interface ServedRequest {
  /** The ID of the chat that has sent it. */
  readonly chat: string;
  readonly text: string;
  readonly request: ChatRequest;
  /** The helper that asks. */
  readonly helper?: ChatCall['helper'];
  readonly whenStopped: Promise<void>;
  isStopped: boolean;
  isEnded: boolean;
}

export interface ChatWindowOptions {
  readonly disk?: Disk;
  /** How many chats may run at the same time. */
  readonly maxRunning?: number;
  readonly delay?: Delay;
  /** What the limits say. */
  readonly allows?: () => Promise<boolean>;
  /** The limits themselves, instead of what they say, and what each question is expected to cost. */
  readonly limits?: Pick<LimitMonitor, 'reserve'>;
  readonly expectedCost?: number;
  /** How the service answers. */
  readonly answer?: (request: ServedRequest) => AsyncIterable<ChatEvent>;
  readonly loadAgent?: ChatsServices['loadAgent'];
  /** The catalog. Requests have a token for each four characters of their messages. */
  readonly models?: readonly Model[];
  /** Whether other windows still run, which is the default. */
  readonly areOthersAlive?: boolean;
  /** The folder of the copies of files that runs have changed. */
  readonly checkpoints?: string;
  readonly settings?: Partial<typeof SETTINGS>;
  /** The window has the agent, with these tools of other extensions. */
  readonly agentTools?: Readonly<Record<string, ToolOfTest>>;
}

/** Does what a tool does, and returns its result. */
export type ToolOfTest = (input: object, signal: AbortSignal) => Promise<string>;

const never = () => ({ dispose: () => undefined });
const noAgent = () => Promise.reject<Agent>(new Error('There is no agent.'));

export class ChatWindow {
  readonly chats: Chats;
  readonly session: ChatSession;
  readonly requests: ServedRequest[] = [];
  readonly posted: ChatHostMessage[] = [];
  /** Without `open`, the key was removed. */
  readonly connection: { open?: object; readonly current: object; readonly onDidChange: typeof never } = {
    open: { kind: 'hosted', client: {} },
    current: { kind: 'hosted' },
    onDidChange: never,
  };
  /** The texts whose cost was reserved. */
  readonly priced: string[] = [];
  /** What the panel shows. */
  state: Partial<ChatState> = {};
  /** What the page shows that reviews a run. */
  reviewed: ReviewState | undefined;
  #agents: ChatAgents | undefined;
  readonly #delay: Delay;
  readonly #answer: NonNullable<ChatWindowOptions['answer']>;

  constructor(options: ChatWindowOptions = {}) {
    const { disk = new Map(), delay = async () => undefined, allows = async () => true, loadAgent = noAgent } = options;
    const { models = [] } = options;
    this.#delay = delay;
    this.#answer = options.answer ?? (() => this.#answerAtOnce());
    const values = new Map<string, unknown>();
    const memory = {
      keys: () => [...values.keys()],
      get: (key: string, initial?: unknown) => values.get(key) ?? initial,
      update: async (key: string, value: unknown) => {
        await delay('remember');
        values.set(key, value);
      },
    };
    const inputTokensOf: typeof tokensOf = models.length === 0 ? () => 1 : tokensOf;
    const estimator = {
      current: { state: 'none' },
      costOf: ({ draft }: EstimateInput) => {
        this.priced.push(draft);
        return options.expectedCost;
      },
      onDidChange: never,
      update: () => undefined,
      forecastFor: () => undefined,
      inputTokensOf,
      sizeOf: (request: ChatRequest) => ({ tokens: inputTokensOf(request), estimated: true, parts: {} }),
      learn: () => delay('learn'),
      cancel: () => undefined,
      dispose: () => undefined,
    };
    const services = {
      connection: this.connection,
      calls: { chat: (call: Call) => this.#chat(call), rowsOf: async () => [] },
      models: {
        find: (id: string) => models.find((model) => model.id === id),
        all: models,
        state: { models, state: 'known' },
        onDidChange: never,
      },
      countSecrets: () => 0,
      balance: { state: {}, onDidChange: never, refreshAfterCharge: () => delay('balance') },
      limits: options.limits ?? { reserve: async () => ((await allows()) ? () => undefined : undefined) },
      newEstimator: () => estimator,
      runCosts: { typicalFor: () => undefined, learn: async () => undefined },
      store: memoryStore(disk, delay, options),
      settings: { ...SETTINGS, ...options.settings, maxRunningChats: options.maxRunning ?? 4 },
      customizations: { ready: async () => undefined, onDidChange: never },
      loadAgent,
      memory,
      log: { error: (_: string, error: unknown) => this.failures.push(error), warn: () => undefined },
    };
    const { agentTools } = options;
    if (agentTools !== undefined) {
      values.set('modelAccess.agent.tools', Object.keys(agentTools));
      lm.use(agentTools);
      Object.assign(services, {
        loadAgent: async (chat: Chat, onDidChange: (run: RunView | undefined) => void) => {
          await delay('load the agent');
          const { ChatAgents } = await import('../../src/editor/agent/agents.ts');
          const { Approvals } = await import('../../src/editor/agent/approvals.ts');
          const own = {
            ...{ reviewTab: this.#reviewTab(), approvals: new Approvals(memory as never), ownVariables: [] },
            openChat: (id: string) => this.session.open(id),
          };
          this.#agents ??= new ChatAgents({ ...services, ...own } as unknown as AgentsServices);
          return this.#agents.create(chat, onDidChange);
        },
      });
    }
    this.chats = new Chats(services as unknown as ChatsServices);
    this.session = new ChatSession({ ...services, chats: this.chats } as unknown as ChatSessionServices);
    this.session.panel.isVisible = () => true;
    // The editor passes JSON to the page.
    this.session.panel.onDidPost((message) => this.#show(JSON.parse(JSON.stringify(message))));
    this.#show({ type: 'state', state: this.session.state });
  }

  /** What was written to the log as an error. */
  readonly failures: unknown[] = [];

  /** The texts that were put back into the composer. */
  get composed(): readonly string[] {
    return this.posted.flatMap((message) => (message.type === 'compose' ? [message.text] : []));
  }

  /** Does what a button of the page does that reviews a run. */
  async review(message: ReviewPageMessage): Promise<void> {
    await this.#agents?.receiveReview(message);
  }

  #reviewTab() {
    return {
      onDidClose: never,
      reveal: () => this.#delay('open the review'),
      close: () => undefined,
      post: ({ state }: { readonly state: ReviewState }) => {
        this.reviewed = state;
      },
    };
  }

  #show(message: ChatHostMessage): void {
    this.posted.push(message);
    if (message.type === 'state') this.state = message.state;
    if (message.type === 'change') this.state = reduce(this.state as ChatState, message) ?? {};
  }

  async *#chat({ request, options, conversationId, helper, usage }: Call): AsyncGenerator<ChatEvent> {
    const { signal } = options;
    await this.#delay('connect');
    signal?.throwIfAborted();
    const stopped = Promise.withResolvers<void>();
    const served: ServedRequest = {
      chat: conversationId,
      whenStopped: stopped.promise,
      text: textOf(request),
      request,
      isStopped: false,
      isEnded: false,
      ...(helper !== undefined && { helper }),
    };
    usage?.send();
    this.requests.push(served);
    signal?.addEventListener('abort', () => {
      served.isStopped = true;
      stopped.resolve();
    });
    try {
      for await (const event of this.#answer(served)) {
        signal?.throwIfAborted();
        usage?.see(event);
        yield event;
      }
      signal?.throwIfAborted();
    } finally {
      served.isEnded = true;
    }
  }

  async *#answerAtOnce(): AsyncGenerator<ChatEvent> {
    yield { type: 'textDelta', index: 0, text: 'answer' };
    await this.#delay('answer');
    yield { type: 'finish', reason: 'stop' };
  }
}

interface Call extends Pick<ChatCall, 'helper' | 'usage'> {
  readonly request: ChatRequest;
  readonly options: CallOptions;
  readonly conversationId: string;
}

const SETTINGS = {
  chatModel: 'small',
  chatFormat: 'messages',
  chatCap: 0,
  writesTitles: false,
  maxTokens: 100,
  systemPrompt: '',
  presets: {},
  agentCap: 0,
  agentStepCap: 0,
  agentMaxSteps: 0,
  agentMaxHelpers: 3,
  agentSummaryModel: '',
  agentReviewsFirst: false,
  maxToolTokens: 4000,
  dashboardAddress: '',
  balanceWarnBelow: 0,
  onDidChange: never,
};

export function tokensOf({ messages }: ChatRequest): number {
  return Math.ceil(JSON.stringify(messages).length / 4);
}

function textOf({ messages }: ChatRequest): string {
  const parts = messages.at(-1)?.parts ?? [];
  return parts.map((part) => ('text' in part ? part.text : '')).join('');
}
