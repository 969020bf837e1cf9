/**
 * What the chat panel and its host say to each other. The host owns the truth: it sends a whole snapshot when a panel
 * says `ready` (a new, reloaded or revived one), and deltas after it. The panel holds nothing that it cannot lose but
 * the text being typed, the reader's place and what is unfolded, which the webview's own state keeps.
 *
 * No key, no address with credentials and no file path outside the workspace ever crosses here.
 */
import type { FormatName } from '../../formats/conversation.ts';
import type { SpentMoney } from './conversation/spentMoney.ts';
import type { CatalogView } from './view/catalog.ts';
import type { AttachmentView, ContextChoiceView } from './view/context.ts';
import type { HistoryFilter, HistoryView } from './view/history.ts';
import type { ParameterChange, ParametersView } from './view/parameters.ts';
import type { AnswerDelta, AnswerFigures, NextStep, Turn } from './view/turn.ts';

export type * from './view/catalog.ts';
export type * from './view/context.ts';
export type * from './view/history.ts';
export type * from './view/parameters.ts';
export type * from './view/turn.ts';

// ------------------------------------------------------------------------------------------------------ the state

/** `none`: no key and no sandbox yet, so the panel shows the first steps. */
export type Connection = 'none' | 'hosted' | 'sandbox';

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
  readonly maxCost?: number;
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
  /** Sum over the conversation. */
  readonly spent: SpentMoney;
  readonly catalog: CatalogView;
  readonly model: string;
  readonly format: FormatName;
  readonly parameters: ParametersView;
  readonly attachments: readonly AttachmentView[];
  readonly estimate: EstimateView;
  /** The same for a question that is being edited, with what comes before it; absent while none is. */
  readonly editEstimate?: EstimateView;
  /** The question that was edited last: it is being edited while the panel says so. */
  readonly edited?: EditedView;
  readonly balance: BalanceView;
  /** Whether the dashboard's address is known, so that "Get a key" leads somewhere. */
  readonly hasDashboard: boolean;
}

/** What goes with a question that is being edited, and who will answer it. */
export interface EditedView {
  readonly turnId: string;
  readonly attachments: readonly AttachmentView[];
  readonly model: string;
}

export interface PromptView {
  readonly id: string;
  /** What is typed after the slash. */
  readonly name: string;
  readonly description: string;
  /** `repository`: from `.github/prompts`, as other tools read them too. */
  readonly source: 'workspace' | 'repository' | 'profile' | 'builtIn';
}

/** A prompt that an empty chat offers. */
export interface StarterView {
  readonly id: 'explain' | 'table' | 'document';
  readonly title: string;
  /** What it shows. */
  readonly detail: string;
}

/** Something that was done and can be undone for a while. */
export interface NoticeView {
  readonly id: string;
  readonly text: string;
}

// --------------------------------------------------------------------------------------------------- host to panel

/** Members of the state other than the turns, which have messages of their own. */
export type StateChange = Partial<Omit<ChatState, 'turns'>>;

export type ChatHostMessage =
  | { readonly type: 'state'; readonly state: ChatState }
  | { readonly type: 'change'; readonly change: StateChange }
  | { readonly type: 'turnAdded'; readonly turn: Turn }
  /** Replaces the turn of this id. */
  | { readonly type: 'turnChanged'; readonly turn: Turn }
  /** Appends to a streaming answer; at most one each frame. */
  | ({ readonly type: 'delta'; readonly turnId: string; readonly figures?: AnswerFigures } & AnswerDelta)
  /** Replaces the turns from this place on, counted from 0. */
  | { readonly type: 'turns'; readonly from: number; readonly turns: readonly Turn[] }
  | { readonly type: 'history'; readonly history: HistoryView }
  /** Opens the list of saved conversations. */
  | { readonly type: 'showHistory' }
  /** What can be attached and matches the query. */
  | {
      readonly type: 'context';
      readonly query: string;
      readonly choices: readonly ContextChoiceView[];
      /** Names of folders whose files cannot be listed. */
      readonly unsearched?: readonly string[];
    }
  | { readonly type: 'prompts'; readonly prompts: readonly PromptView[] }
  | { readonly type: 'starters'; readonly starters: readonly StarterView[] }
  /** Offers to undo what was just done. */
  | { readonly type: 'notice'; readonly notice: NoticeView }
  /** Those of the paths asked for that are files of the workspace. */
  | { readonly type: 'files'; readonly found: readonly string[] }
  /** The bytes of a picture as base64; without them it is not there any more. */
  | { readonly type: 'picture'; readonly picture: string; readonly data?: string }
  /** What the frame that draws diagrams runs. */
  | { readonly type: 'diagrams'; readonly code: string }
  /** Puts text into the composer (a command, a message taken back) and the focus with it. */
  | { readonly type: 'compose'; readonly text: string }
  | { readonly type: 'focus' };

// --------------------------------------------------------------------------------------------------- panel to host

export type ChatPanelMessage =
  | { readonly type: 'ready' }
  /** With two or three models they all answer, side by side. A queued one waits for the end of the answers in progress. */
  | { readonly type: 'send'; readonly text: string; readonly models?: readonly string[]; readonly queued?: boolean }
  /** Sends a question again as it was edited, in a branch of its own. */
  | { readonly type: 'edit'; readonly turnId: string; readonly text: string }
  | { readonly type: 'showBranch'; readonly turnId: string; readonly position: number }
  /** A question goes with its answers, an answer alone. */
  | { readonly type: 'removeTurn'; readonly turnId: string }
  /** Copies the conversation up to this turn into a new one. */
  | { readonly type: 'fork'; readonly turnId: string }
  /** Takes one of the answers that stand side by side. */
  | { readonly type: 'keep'; readonly turnId: string }
  | { readonly type: 'undo'; readonly noticeId: string }
  | { readonly type: 'stop' }
  | { readonly type: 'step'; readonly step: NextStep; readonly turnId: string }
  /** Has another model answer the question of an answer as well, in a branch of its own. */
  | { readonly type: 'askOther'; readonly turnId: string; readonly model: string }
  /** Leaves a retry's wait at once. */
  | { readonly type: 'retryNow'; readonly turnId: string }
  /** The text in the composer, for the estimate; sent as it changes. */
  | { readonly type: 'draft'; readonly text: string }
  /** The text of a question that is being edited, for its estimate; `done` once it no longer is. */
  | { readonly type: 'editing'; readonly turnId: string; readonly text: string }
  | { readonly type: 'editingDone' }
  /** Takes an attachment off the question that is being edited, or chooses who answers it. */
  | { readonly type: 'editDetach'; readonly attachmentId: string }
  | { readonly type: 'editModel'; readonly model: string }
  | { readonly type: 'newConversation' }
  | { readonly type: 'chooseModel'; readonly model: string }
  | { readonly type: 'chooseFormat'; readonly format: FormatName }
  /** Decides something for this conversation. `null`: it follows the settings again. */
  | { readonly type: 'setParameters'; readonly change: ParameterChange }
  /** Asks what the chosen format cannot carry; from then on the state says it. */
  | { readonly type: 'checkParameters' }
  /** Sends the workspace's instructions with this conversation, or no longer. */
  | { readonly type: 'setInstructions'; readonly isSent: boolean }
  | { readonly type: 'openInstructions' }
  | { readonly type: 'savePreset' }
  | { readonly type: 'usePreset'; readonly name: string }
  | { readonly type: 'removePreset'; readonly name: string }
  /** Asks for the saved conversations; the host tells again when they change, until `closeHistory`. */
  | { readonly type: 'history'; readonly query: string; readonly filter: HistoryFilter; readonly limit: number }
  | { readonly type: 'closeHistory' }
  | { readonly type: 'openConversation'; readonly conversationId: string }
  | { readonly type: 'renameConversation'; readonly conversationId: string; readonly title: string }
  | { readonly type: 'pinConversation'; readonly conversationId: string; readonly pinned: boolean }
  | { readonly type: 'deleteConversation'; readonly conversationId: string }
  | { readonly type: 'exportConversation'; readonly conversationId: string }
  | { readonly type: 'importConversations' }
  | { readonly type: 'listPrompts' }
  /** Puts a prompt into the composer, with its variables filled in. */
  | { readonly type: 'usePrompt'; readonly promptId: string }
  | { readonly type: 'newPrompt' }
  /** Asks for the prompts of an empty chat, shows what one of them would cost, or uses it. Without an id no longer. */
  | { readonly type: 'starter'; readonly action: 'list' | 'preview' | 'use'; readonly id?: StarterView['id'] }
  | { readonly type: 'refreshCatalog' }
  /** Asks for what can be attached. */
  | { readonly type: 'listContext'; readonly query: string }
  | { readonly type: 'attach'; readonly choiceId: string }
  /** Lets the person choose what to attach in a list of the editor. While a question is edited, all goes with that. */
  | { readonly type: 'pickContext' }
  /** Files and folders that were dropped, by their addresses. */
  | { readonly type: 'attachAddresses'; readonly addresses: readonly string[] }
  /** A file that was pasted or dropped from outside the editor. `data` is base64; none when it could not be read. */
  | { readonly type: 'attachContent'; readonly name: string; readonly bytes: number; readonly data?: string }
  /** Shortens an attachment so that the request fits. */
  | { readonly type: 'trim'; readonly attachmentId: string }
  | { readonly type: 'detachImages' }
  /** Asks for the picture of an attached image. */
  | { readonly type: 'loadPicture'; readonly picture: string }
  | { readonly type: 'detach'; readonly attachmentId: string }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'insertAtCursor'; readonly text: string }
  | { readonly type: 'replaceSelection'; readonly text: string }
  /** Compares code with the file that it belongs to. `paths`: files that the answer names beside it, the likeliest first. */
  | {
      readonly type: 'applyCode';
      readonly text: string;
      readonly paths: readonly string[];
      /** As the answer names it; it may be empty. */
      readonly language: string;
    }
  /** Opens a new file with this text, which is not saved yet. The language is a name or an alias; it may be empty. */
  | { readonly type: 'newFile'; readonly text: string; readonly language: string }
  | { readonly type: 'openLink'; readonly href: string }
  /** Asks which of these paths, as an answer writes them, are files of the workspace. */
  | { readonly type: 'findFiles'; readonly paths: readonly string[] }
  /** Opens a file of the workspace, with the lines selected; they are counted from 1. */
  | { readonly type: 'openFile'; readonly path: string; readonly line?: number; readonly endLine?: number }
  /** Asks for the code that draws diagrams. */
  | { readonly type: 'loadDiagrams' }
  /** The first steps: a key typed into the panel never reaches a log or the state; the host checks and stores it. */
  | { readonly type: 'enterKey' }
  | { readonly type: 'trySandbox' }
  | { readonly type: 'getKey' }
  | { readonly type: 'openPrivacy' }
  | { readonly type: 'openFirstSteps' }
  /** Where the money and the time went. */
  | { readonly type: 'openUsage' };

/** How messages travel. Injected, so that the panel also runs in a plain page and in tests. */
export interface PanelTransport {
  post(message: ChatPanelMessage): void;
  /** @returns a function that ends the subscription. */
  listen(receive: (message: ChatHostMessage) => void): () => void;
  /** What the panel keeps of itself over a reload of the webview; undefined in a new one. */
  kept(): KeptState | undefined;
  keep(state: KeptState): void;
}

/** What only the panel knows, and would lose with its page. */
export interface KeptState {
  readonly draft: string;
  /** Messages that wait for the end of an answer, by the id of their conversation. */
  readonly queued?: Readonly<Record<string, string>>;
  /** Where the conversation had got to when the draft was kept. */
  readonly draftPlace?: DraftPlace;
  /** Where the reader was; absent at the end of the conversation. */
  readonly place?: ReadingPlace;
  /** What was opened of that which is folded at first. */
  readonly open?: readonly string[];
}

/** A draft is of the past once its conversation has another question. */
export interface DraftPlace {
  readonly conversationId: string;
  /** Id of the last question; empty when there is none. */
  readonly questionId: string;
}

/** The turn at the upper edge of the view, and how many pixels of it are scrolled out. */
export interface ReadingPlace {
  readonly conversationId: string;
  readonly turnId: string;
  readonly offset: number;
}
