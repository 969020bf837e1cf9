/**
 * What the chat panel and its host say to each other. The host owns the truth: it sends a whole snapshot when a panel
 * says `ready` (a new, reloaded or revived one), and deltas after it. The panel holds nothing that it cannot lose but
 * the text being typed, which the webview's own state keeps.
 *
 * No key, no address with credentials and no file path outside the workspace ever crosses here.
 */
import type { ErrorKind } from '../../formats/apiError.ts';
import type { FormatName } from '../../formats/conversation.ts';

// ------------------------------------------------------------------------------------------------------ the state

/** `none`: no key and no sandbox yet, so the panel shows the first steps. */
export type Connection = 'none' | 'hosted' | 'sandbox';

export interface ModelView {
  readonly id: string;
  /** Heading it stands under in the picker, such as `Family A`. */
  readonly family: string;
  /** Tokens. Absent when the catalog does not say. */
  readonly contextWindow?: number;
  /** US dollars for a million tokens. Absent when the catalog does not say. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly reasoning?: boolean;
}

export interface CatalogView {
  readonly models: readonly ModelView[];
  readonly state: 'loading' | 'current' | 'stale' | 'failed';
  /** Milliseconds since the epoch at which the list was read; absent when it never was. */
  readonly readAt?: number;
  readonly problem?: string;
}

export interface AttachmentView {
  readonly id: string;
  readonly kind: 'selection' | 'file';
  /** Such as `session.ts:42–67`. */
  readonly label: string;
  /** Absent while it is being counted. */
  readonly tokens?: number;
}

export interface UserTurn {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly AttachmentView[];
}

/** A button of an error card; the host knows what each does. */
export type NextStep =
  | 'retry'
  | 'continue'
  | 'setKey'
  | 'addCredit'
  | 'chooseModel'
  | 'newConversation'
  | 'trySandbox'
  | 'openSettings'
  | 'openLog';

export interface FailureView {
  readonly kind: ErrorKind;
  /** What happened, in a few words. */
  readonly title: string;
  /** Why, and what to do. Ends with whether anything was charged, where that is known. */
  readonly detail: string;
  /** The first is the primary button. */
  readonly steps: readonly NextStep[];
}

/** Figures of one answer. Money in US dollars, absent when no price is known. */
export interface AnswerFigures {
  readonly inputTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens?: number;
  readonly cost?: number;
  readonly firstTokenMs?: number;
  readonly tokensPerSecond?: number;
  /** True while the tokens are counted here rather than reported by the service. */
  readonly estimated: boolean;
}

/** A wait before the request is sent again after a rate limit or an overload. */
export interface RetryView {
  readonly attempt: number;
  readonly attempts: number;
  /** Milliseconds since the epoch at which it is sent, and how long the whole wait is. */
  readonly at: number;
  readonly waitMs: number;
  readonly reason: 'rateLimit' | 'overloaded' | 'network' | 'timeout' | 'server';
}

export interface AnswerTurn {
  readonly role: 'assistant';
  readonly id: string;
  readonly model: string;
  readonly format: FormatName;
  readonly sandbox: boolean;
  readonly reasoning: string;
  readonly text: string;
  /** Milliseconds that the reasoning took, once the text has begun. */
  readonly reasoningMs?: number;
  /** `cut`: the answer reached the token limit. */
  readonly status: 'waiting' | 'streaming' | 'complete' | 'cut' | 'stopped' | 'failed';
  readonly retry?: RetryView;
  readonly figures?: AnswerFigures;
  readonly failure?: FailureView;
}

export type Turn = UserTurn | AnswerTurn;

/** What sending now would take. All of it for the exact request: system prompt, history, attachments, draft. */
export interface EstimateView {
  readonly state: 'none' | 'counting' | 'known';
  readonly inputTokens?: number;
  /** True when this is a local estimate rather than the service's own count. */
  readonly estimated?: boolean;
  /** Shares of `inputTokens`. */
  readonly historyTokens?: number;
  readonly attachmentTokens?: number;
  readonly messageTokens?: number;
  /** Tokens of the expected answer: the median of the last five by this model, from the second on. */
  readonly expectedOutputTokens?: number;
  readonly maxOutputTokens?: number;
  /** US dollars; absent when the catalog gives no price. */
  readonly inputCost?: number;
  readonly expectedCost?: number;
  readonly mostCost?: number;
  /** The balance after the expected cost, or after the input's cost when no answer is expected yet. */
  readonly balanceAfter?: number;
}

export interface BalanceView {
  readonly state: 'unknown' | 'current' | 'stale' | 'low' | 'exhausted';
  /** US dollars. */
  readonly remaining?: number;
}

export interface ChatState {
  readonly connection: Connection;
  readonly conversationId: string;
  readonly title: string;
  readonly turns: readonly Turn[];
  /** Sum over the conversation, absent when no price is known. */
  readonly cost?: number;
  readonly catalog: CatalogView;
  readonly model: string;
  readonly format: FormatName;
  readonly attachments: readonly AttachmentView[];
  readonly estimate: EstimateView;
  readonly balance: BalanceView;
  /** Whether the dashboard's address is known, so that "Get a key" leads somewhere. */
  readonly hasDashboard: boolean;
}

// --------------------------------------------------------------------------------------------------- host to panel

/** Members of the state other than the turns, which have messages of their own. */
export type StateChange = Partial<Omit<ChatState, 'turns'>>;

export type HostMessage =
  | { readonly type: 'state'; readonly state: ChatState }
  | { readonly type: 'change'; readonly change: StateChange }
  | { readonly type: 'turnAdded'; readonly turn: Turn }
  /** Replaces the turn of this id. */
  | { readonly type: 'turnChanged'; readonly turn: Turn }
  /** Appends to the text or the reasoning of a streaming answer; at most one each frame. */
  | {
      readonly type: 'delta';
      readonly turnId: string;
      readonly text?: string;
      readonly reasoning?: string;
      readonly figures: AnswerFigures;
    }
  | { readonly type: 'turnRemoved'; readonly turnId: string }
  /** Puts text into the composer (a command, a message taken back) and the focus with it. */
  | { readonly type: 'compose'; readonly text: string }
  | { readonly type: 'focus' };

// --------------------------------------------------------------------------------------------------- panel to host

export type PanelMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'stop' }
  | { readonly type: 'step'; readonly step: NextStep; readonly turnId: string }
  /** Leaves a retry's wait at once. */
  | { readonly type: 'retryNow'; readonly turnId: string }
  /** The text in the composer, for the estimate; sent as it changes. */
  | { readonly type: 'draft'; readonly text: string }
  | { readonly type: 'newConversation' }
  | { readonly type: 'chooseModel'; readonly model: string }
  | { readonly type: 'chooseFormat'; readonly format: FormatName }
  | { readonly type: 'refreshCatalog' }
  | { readonly type: 'attach' }
  | { readonly type: 'detach'; readonly attachmentId: string }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'insertAtCursor'; readonly text: string }
  | { readonly type: 'openLink'; readonly href: string }
  /** The first steps: a key typed into the panel never reaches a log or the state; the host checks and stores it. */
  | { readonly type: 'enterKey' }
  | { readonly type: 'trySandbox' }
  | { readonly type: 'getKey' }
  | { readonly type: 'openPrivacy' };

/** How messages travel. Injected, so that the panel also runs in a plain page and in tests. */
export interface PanelTransport {
  post(message: PanelMessage): void;
  /** @returns a function that ends the subscription. */
  listen(receive: (message: HostMessage) => void): () => void;
  /** The draft survives a reload of the webview through these. */
  getDraft(): string;
  setDraft(text: string): void;
}
