/**
 * The messages between the chat panel and its host. The host owns the state: it sends a snapshot when a panel (new,
 * reloaded, or restored) sends `ready`, and deltas after that. The panel's only own state is the text being typed, the
 * reading position, and what is expanded, which are kept in the webview's state.
 * Messages never contain keys, addresses with credentials, or file paths outside the workspace.
 */
import type { FormatName } from '../../formats/conversation.ts';
import type { CatalogView } from './catalog.ts';
import type { AttachmentView, ContextChoiceView, PageView } from './context.ts';
import type { HistoryView } from './history.ts';
import type { ParametersView } from './parameters.ts';
import type { AgentView, ChatMode, RunView } from './run.ts';
import type { SpentMoney } from './spentMoney.ts';
import type { AnswerDelta, AnswerFigures, ChatTurn } from './turn.ts';

export type * from './catalog.ts';
export type * from './context.ts';
export type * from './history.ts';
export type * from './parameters.ts';
export type * from './run.ts';
export type * from './turn.ts';

// ------------------------------------------------------------------------------------------------------ the state

/** `none`: neither a key nor the sandbox is set up, so the panel shows the first steps. */
export type ConnectionKind = 'none' | 'hosted' | 'sandbox';

/** The estimate of sending now, for the exact request: system prompt, history, attachments, and draft. */
export interface EstimateView {
  readonly state: 'none' | 'counting' | 'known';
  readonly inputTokens?: number;
  /** True if this is a local estimate and not the service's count. */
  readonly estimated?: boolean;
  /** Shares of `inputTokens`. */
  readonly historyTokens?: number;
  readonly attachmentTokens?: number;
  readonly messageTokens?: number;
  /** Tokens of the expected answer: the median of this model's last five answers, if there are at least two. */
  readonly expectedOutputTokens?: number;
  readonly maxOutputTokens?: number;
  /** In US dollars. Undefined if the catalog has no price. */
  readonly inputCost?: number;
  readonly expectedCost?: number;
  readonly maxCost?: number;
  /** The balance after the expected cost, or after the input's cost if there is no forecast for the answer. */
  readonly balanceAfter?: number;
  /** Set if the request is the first step of a run of the agent. */
  readonly run?: RunForecast;
}

/** Amounts are in US dollars. */
export interface RunForecast {
  /** What the run may cost without asking. 0 without a cap. */
  readonly cap: number;
  /** The median of this model's last five finished runs, if there are at least two. */
  readonly typical?: number;
}

export interface BalanceView {
  readonly state: 'unknown' | 'current' | 'stale' | 'low' | 'exhausted';
  /** In US dollars. */
  readonly remaining?: number;
  /** It is a budget of a team's gateway, which its administrator sets. */
  readonly isBudget?: boolean;
}

export interface ChatState {
  readonly connection: ConnectionKind;
  readonly conversationId: string;
  readonly title: string;
  /** Which model wrote the title, and its cost. */
  readonly titleNote?: string | undefined;
  readonly turns: readonly ChatTurn[];
  /** Whether a question is on its way, whose answer has not begun. It can be stopped. */
  readonly isAsking?: boolean;
  /** The sum for the conversation. */
  readonly spent: SpentMoney;
  readonly catalog: CatalogView;
  readonly model: string;
  readonly format: FormatName;
  readonly mode: ChatMode;
  /** The name of the agent that acts. Undefined for the agent without a file, and without the agent. */
  readonly agent?: string | undefined;
  readonly agents: readonly AgentView[];
  /** Whether the agent can act here: not in an untrusted workspace, nor without a folder. */
  readonly canAct: boolean;
  /** The last run of this chat, if its last question was answered by one. */
  readonly run?: RunView | undefined;
  readonly parameters: ParametersView;
  readonly attachments: readonly AttachmentView[];
  readonly estimate: EstimateView;
  /** The estimate for a question that is being edited, with the turns before it. Undefined while none is edited. */
  readonly editEstimate?: EstimateView;
  /** The question that was edited last. The panel decides whether it is still being edited. */
  readonly edited?: EditedView;
  readonly balance: BalanceView;
  /** The chats in which something runs, with this one. */
  readonly running?: readonly RunningChat[];
}

/** A chat of this window in which a question is being answered, or the agent works. */
export interface RunningChat {
  readonly id: string;
  readonly title: string;
  /** Whether the agent waits for the user. */
  readonly isWaiting?: true;
}

/** The attachments and the model of a question that is being edited. */
export interface EditedView {
  readonly turnId: string;
  readonly attachments: readonly AttachmentView[];
  readonly model: string;
}

export interface PromptView {
  readonly id: string;
  /** The text to type after the slash. */
  readonly name: string;
  readonly description: string;
  /** `repository`: from `.github/prompts`, which other tools also read. */
  readonly source: 'workspace' | 'repository' | 'profile' | 'builtIn' | 'skill';
  /** Estimated, of its text and the attachments that it adds. */
  readonly tokens: number;
  /** True if it also attaches the Git changes, which are only read when it is used. */
  readonly addsChanges?: boolean;
}

/** A prompt that an empty chat offers. */
export interface StarterView {
  readonly id: 'explain' | 'table' | 'improve' | 'fix' | 'tests' | 'readme';
  readonly title: string;
  /** The feature that it demonstrates. */
  readonly detail: string;
}

/** An action that can be undone for a short time. */
export interface NoticeView {
  readonly id: string;
  readonly text: string;
  /** It is shown until the user dismisses it or asks the next question. */
  readonly lasts?: true;
}

// --------------------------------------------------------------------------------------------------- host to panel

/** Members of the state except the turns, which have messages of their own. */
export type StateChange = Partial<Omit<ChatState, 'turns'>>;

export type ChatHostMessage =
  | { readonly type: 'state'; readonly state: ChatState }
  /** @property cleared members that are undefined from now on. The editor passes JSON, which has no undefined members. */
  | { readonly type: 'change'; readonly change: StateChange; readonly cleared?: readonly (keyof StateChange)[] }
  | { readonly type: 'turnAdded'; readonly turn: ChatTurn }
  /** Replaces the turn with the same ID. */
  | { readonly type: 'turnChanged'; readonly turn: ChatTurn }
  /** Appends to a streaming answer, at most once per frame. */
  | ({ readonly type: 'delta'; readonly turnId: string; readonly figures?: AnswerFigures } & AnswerDelta)
  /** Replaces the turns from this index on. */
  | { readonly type: 'turns'; readonly from: number; readonly turns: readonly ChatTurn[] }
  | { readonly type: 'history'; readonly history: HistoryView }
  /** Opens the list of saved conversations. */
  | { readonly type: 'showHistory' }
  /** Scrolls to a turn of the conversation shown. */
  | { readonly type: 'showTurn'; readonly turnId: string }
  /** The items that can be attached and match the query. */
  | {
      readonly type: 'context';
      readonly query: string;
      readonly choices: readonly ContextChoiceView[];
      /** Names of folders whose files cannot be listed. */
      readonly unsearched?: readonly string[];
    }
  /** The page of a chosen address was read and attached. */
  | { readonly type: 'attachedPage'; readonly choiceId: string; readonly page: PageView }
  | { readonly type: 'prompts'; readonly prompts: readonly PromptView[] }
  | { readonly type: 'starters'; readonly starters: readonly StarterView[] }
  /** Offers to undo the last action. */
  | { readonly type: 'notice'; readonly notice: NoticeView }
  /** The user has asked the next question, or the action was offered again. */
  | { readonly type: 'noticeWithdrawn'; readonly noticeId: string }
  /** The keys of all code of answers of which a change was accepted. */
  | { readonly type: 'applied'; readonly codes: readonly string[] }
  /** The requested paths that are files of the workspace. */
  | { readonly type: 'files'; readonly found: readonly string[] }
  /** The bytes of an image as base64. Undefined if it no longer exists. */
  | { readonly type: 'picture'; readonly picture: string; readonly data?: string }
  /** The code that renders diagrams in the frame. */
  | { readonly type: 'diagrams'; readonly code: string }
  /** Puts text into the composer (from a command or a withdrawn message) and focuses it. */
  | { readonly type: 'compose'; readonly text: string }
  | { readonly type: 'focus' };

/** State that only the panel has, and would lose when its page is reloaded. */
export interface KeptState {
  readonly draft: string;
  /** The drafts of other chats, by conversation ID; that of a chat without a question by an empty one. */
  readonly drafts?: Readonly<Record<string, string>>;
  /** Messages that wait for the end of an answer, by conversation ID. */
  readonly queued?: Readonly<Record<string, string>>;
  /** The last question of the conversation when the draft was kept. */
  readonly draftPlace?: DraftPlace;
  /** The reading position. Undefined at the end of the conversation. */
  readonly place?: ReadingPlace;
  /** The elements that the user has expanded. */
  readonly open?: readonly string[];
}

/** A kept draft is outdated when its conversation has another last question. */
export interface DraftPlace {
  readonly conversationId: string;
  /** The ID of the last question. Empty if there is none. */
  readonly questionId: string;
}

/** The turn at the top edge of the view, and how many pixels of it are scrolled out. */
export interface ReadingPlace {
  readonly conversationId: string;
  readonly turnId: string;
  readonly offset: number;
}
