/**
 * The messages between the chat panel and its host. The host owns the state: it sends a snapshot when a panel (new,
 * reloaded, or restored) sends `ready`, and deltas after that. The panel's only own state is the text being typed, the
 * reading position, and what is expanded, which are kept in the webview's state.
 * Messages never contain keys, addresses with credentials, or file paths outside the workspace.
 */
import type { FormatName } from '../../formats/conversation.ts';
import type { CatalogView } from './catalog.ts';
import type { AttachmentView, ContextChoiceView, PageView } from './context.ts';
import type { HistoryFilter, HistoryView } from './history.ts';
import type { ParameterChange, ParametersView } from './parameters.ts';
import type { ChatMode, RunMessage, RunView } from './run.ts';
import type { SpentMoney } from './spentMoney.ts';
import type { AnswerDelta, AnswerFigures, NextStep, Turn } from './turn.ts';

export type * from './catalog.ts';
export type * from './context.ts';
export type * from './history.ts';
export type * from './parameters.ts';
export type * from './run.ts';
export type * from './turn.ts';

// ------------------------------------------------------------------------------------------------------ the state

/** `none`: neither a key nor the sandbox is set up, so the panel shows the first steps. */
export type Connection = 'none' | 'hosted' | 'sandbox';

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
  readonly connection: Connection;
  readonly conversationId: string;
  readonly title: string;
  /** Which model wrote the title, and its cost. */
  readonly titleNote?: string | undefined;
  readonly turns: readonly Turn[];
  /** The sum for the conversation. */
  readonly spent: SpentMoney;
  readonly catalog: CatalogView;
  readonly model: string;
  readonly format: FormatName;
  readonly mode: ChatMode;
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
  /** Whether the dashboard's address is known, which "Get a key" opens. */
  readonly hasDashboard: boolean;
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
  readonly source: 'workspace' | 'repository' | 'profile' | 'builtIn';
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
  | { readonly type: 'change'; readonly change: StateChange }
  | { readonly type: 'turnAdded'; readonly turn: Turn }
  /** Replaces the turn with the same ID. */
  | { readonly type: 'turnChanged'; readonly turn: Turn }
  /** Appends to a streaming answer, at most once per frame. */
  | ({ readonly type: 'delta'; readonly turnId: string; readonly figures?: AnswerFigures } & AnswerDelta)
  /** Replaces the turns from this index on. */
  | { readonly type: 'turns'; readonly from: number; readonly turns: readonly Turn[] }
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
  /** The requested paths that are files of the workspace. */
  | { readonly type: 'files'; readonly found: readonly string[] }
  /** The bytes of an image as base64. Undefined if it no longer exists. */
  | { readonly type: 'picture'; readonly picture: string; readonly data?: string }
  /** The code that renders diagrams in the frame. */
  | { readonly type: 'diagrams'; readonly code: string }
  /** Puts text into the composer (from a command or a withdrawn message) and focuses it. */
  | { readonly type: 'compose'; readonly text: string }
  | { readonly type: 'focus' };

// --------------------------------------------------------------------------------------------------- panel to host

export type ChatPanelMessage =
  | { readonly type: 'ready' }
  | RunMessage
  /** Two or three models answer side by side. A queued message waits for the end of the answers in progress. */
  | { readonly type: 'send'; readonly text: string; readonly models?: readonly string[]; readonly queued?: boolean }
  /** Sends an edited question again, in a new branch. */
  | { readonly type: 'edit'; readonly turnId: string; readonly text: string }
  | { readonly type: 'showBranch'; readonly turnId: string; readonly position: number }
  /** Removes a question with its answers, or a single answer. */
  | { readonly type: 'removeTurn'; readonly turnId: string }
  /** Copies the conversation up to and including this turn into a new one. */
  | { readonly type: 'fork'; readonly turnId: string }
  /** Keeps one of the answers shown side by side. */
  | { readonly type: 'keep'; readonly turnId: string }
  | { readonly type: 'undo'; readonly noticeId: string }
  /** Ends the offer of the notice that lasts. */
  | { readonly type: 'dismissNotice' }
  | { readonly type: 'stop' }
  | { readonly type: 'step'; readonly step: NextStep; readonly turnId: string }
  /** Has another model answer the same question, in a new branch. */
  | { readonly type: 'askOther'; readonly turnId: string; readonly models: readonly string[] }
  /** Ends the wait of a retry. */
  | { readonly type: 'retryNow'; readonly turnId: string }
  /** The text in the composer, for the estimate. Sent whenever it changes. */
  | { readonly type: 'draft'; readonly text: string }
  /** The text of a question that is being edited, for its estimate. `editingDone` ends the edit. */
  | { readonly type: 'editing'; readonly turnId: string; readonly text: string }
  | { readonly type: 'editingDone' }
  /** Changes the question being edited: removes an attachment, exchanges its text for its other version, or chooses the model. */
  | { readonly type: 'editDetach'; readonly attachmentId: string }
  | { readonly type: 'editVersion'; readonly attachmentId: string }
  | { readonly type: 'editModel'; readonly model: string }
  | { readonly type: 'newConversation' }
  | { readonly type: 'chooseModel'; readonly model: string }
  | { readonly type: 'chooseFormat'; readonly format: FormatName }
  /** Sets parameters of this conversation. With `null`, a parameter follows the settings again. */
  | { readonly type: 'setParameters'; readonly change: ParameterChange }
  /** Asks for the parameters that the chosen format does not support. From then on, the state contains them. */
  | { readonly type: 'checkParameters' }
  /** Turns the workspace's instructions on or off for this conversation. */
  | { readonly type: 'setInstructions'; readonly isSent: boolean }
  | { readonly type: 'openInstructions' }
  | { readonly type: 'savePreset' }
  | { readonly type: 'usePreset'; readonly name: string }
  | { readonly type: 'removePreset'; readonly name: string }
  /** Asks for the saved conversations. The host sends them again when they change, until `closeHistory`. */
  | { readonly type: 'history'; readonly query: string; readonly filter: HistoryFilter; readonly limit: number }
  | { readonly type: 'closeHistory' }
  | { readonly type: 'openConversation'; readonly conversationId: string }
  | { readonly type: 'renameConversation'; readonly conversationId: string; readonly title: string }
  | { readonly type: 'pinConversation'; readonly conversationId: string; readonly pinned: boolean }
  | { readonly type: 'deleteConversation'; readonly conversationId: string }
  | { readonly type: 'exportConversation'; readonly conversationId: string }
  | { readonly type: 'importConversations' }
  | { readonly type: 'listPrompts' }
  /** Puts a prompt into the composer, with its variables replaced. */
  | { readonly type: 'usePrompt'; readonly promptId: string }
  | { readonly type: 'newPrompt' }
  /**
   * Lists the prompts of an empty chat, previews the cost of one, or uses it. `preview` without an ID ends the preview.
   */
  | { readonly type: 'starter'; readonly action: 'list' | 'preview' | 'use'; readonly id?: StarterView['id'] }
  | { readonly type: 'openSandboxMenu' }
  | { readonly type: 'refreshCatalog' }
  /** Asks for the items that can be attached. */
  | { readonly type: 'listContext'; readonly query: string }
  | { readonly type: 'attach'; readonly choiceId: string }
  /** Lets the user choose attachments in a quick pick. While a question is edited, all attachments go with it. */
  | { readonly type: 'pickContext' }
  /** Files and folders that were dropped, by their URIs. */
  | { readonly type: 'attachAddresses'; readonly addresses: readonly string[] }
  /**
   * A file that was pasted or dropped from outside the editor. `data` is base64, undefined if the file could not be
   * read.
   */
  | { readonly type: 'attachContent'; readonly name: string; readonly bytes: number; readonly data?: string }
  /** Shortens an attachment so that the request fits. */
  | { readonly type: 'trim'; readonly attachmentId: string }
  | { readonly type: 'detachImages' }
  /** Asks for the bytes of an attached image. */
  | { readonly type: 'loadPicture'; readonly picture: string }
  | { readonly type: 'detach'; readonly attachmentId: string }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'insertAtCursor'; readonly text: string }
  | { readonly type: 'replaceSelection'; readonly text: string }
  /**
   * Compares code with the file that it belongs to. `paths` are the files that the answer names near it, the likeliest
   * first.
   */
  | {
      readonly type: 'applyCode';
      readonly text: string;
      readonly paths: readonly string[];
      /** The language as the answer names it; may be empty. */
      readonly language: string;
    }
  /** Opens an unsaved new file with this text. The language is a name or an alias, and may be empty. */
  | { readonly type: 'newFile'; readonly text: string; readonly language: string }
  | { readonly type: 'openLink'; readonly href: string }
  /** Asks which of these paths, as written in an answer, are files of the workspace. */
  | { readonly type: 'findFiles'; readonly paths: readonly string[] }
  /** Opens a workspace file and selects the lines, counted from 1. */
  | { readonly type: 'openFile'; readonly path: string; readonly line?: number; readonly endLine?: number }
  /** Asks for the code that renders diagrams. */
  | { readonly type: 'loadDiagrams' }
  /**
   * The first steps. The host asks for the key, checks it, and stores it, so the panel's state and logs never contain
   * it.
   */
  | { readonly type: 'enterKey' }
  | { readonly type: 'trySandbox' }
  | { readonly type: 'getKey' }
  | { readonly type: 'openPrivacy' }
  | { readonly type: 'openFirstSteps' }
  /** Opens the Usage view. */
  | { readonly type: 'openUsage' };

/** How messages are transported. Injected, so that the panel also runs in a plain page and in tests. */
export interface PanelTransport {
  post(message: ChatPanelMessage): void;
  /** Returns a function that ends the subscription. */
  listen(receive: (message: ChatHostMessage) => void): () => void;
  /** Returns the state that the panel kept before its webview was reloaded; undefined in a new one. */
  kept(): KeptState | undefined;
  keep(state: KeptState): void;
}

/** State that only the panel has, and would lose when its page is reloaded. */
export interface KeptState {
  readonly draft: string;
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
