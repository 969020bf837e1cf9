/**
 * What the chat panel and its host say to each other. The host owns the truth: it sends a whole snapshot when a panel
 * says `ready` (a new, reloaded or revived one), and deltas after it. The panel holds nothing that it cannot lose but
 * the text being typed, the reader's place and what is unfolded, which the webview's own state keeps.
 *
 * No key, no address with credentials and no file path outside the workspace ever crosses here.
 */
import type { ErrorKind } from '../../formats/apiError.ts';
import type { Citation, FormatName } from '../../formats/conversation.ts';

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
  readonly kind: AttachmentKind;
  /** Such as `session.ts:42–67`. */
  readonly label: string;
  /** Absent while it is being counted. */
  readonly tokens?: number;
  /** More about it, such as what was left out. */
  readonly note?: string;
  /** Names the picture of an image, by which the panel asks for it. */
  readonly picture?: string;
}

/** `diff`: changes that Git sees. `problems`: what the editor reports. */
export type AttachmentKind = 'selection' | 'file' | 'folder' | 'problems' | 'diff' | 'terminal' | 'image';

/** Something that can be attached, in the list that `@` opens. */
export interface ContextChoiceView {
  readonly id: string;
  readonly kind: AttachmentKind;
  readonly label: string;
  /** Such as the folder of a file. */
  readonly detail?: string;
}

/** Which of several branches shows here. Counted from 1. */
export interface BranchView {
  readonly position: number;
  readonly count: number;
}

export interface UserTurn {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly AttachmentView[];
  /** Absent when there is but one. */
  readonly branch?: BranchView;
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
  /** What was said before sending; absent for an answer that went on. The cost is that of input and expected answer. */
  readonly forecast?: { readonly inputTokens: number; readonly cost?: number };
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

/** A call of a tool by the model. */
export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: JSON, or free text. Empty until they are whole. */
  readonly arguments: string;
  /** What the tool gave back, where it was run. */
  readonly result?: string;
}

/** Who refused: the model, or a filter of the service that held the answer back. */
export type Refuser = 'model' | 'filter';

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
  readonly toolCalls?: readonly ToolCallView[];
  /** What the answer draws on, each once. */
  readonly citations?: readonly Citation[];
  /** The words of a refusal, where the format tells them from the text. */
  readonly refusal?: string;
  readonly refusedBy?: Refuser;
  readonly retry?: RetryView;
  readonly figures?: AnswerFigures;
  readonly failure?: FailureView;
  /** Absent when there is but one. */
  readonly branch?: BranchView;
  /** Another window is answering: it can be stopped there alone. */
  readonly elsewhere?: true;
}

/** What an answer grows by. */
export interface AnswerDelta {
  readonly text?: string;
  readonly reasoning?: string;
  readonly refusal?: string;
  /** A call, or one that is known by its id and is whole now. */
  readonly toolCall?: ToolCallView;
  readonly citation?: Citation;
}

/** Answers of several models to one question, side by side until one of them is kept. */
export interface ComparisonTurn {
  readonly role: 'comparison';
  readonly id: string;
  readonly answers: readonly AnswerTurn[];
}

export type Turn = UserTurn | AnswerTurn | ComparisonTurn;

/** What can be decided for one conversation, beside its model and format. */
export interface ParameterValues {
  readonly systemPrompt?: string;
  /** Most tokens of one answer. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly reasoningEffort?: ReasoningEffort;
  readonly stopSequences?: readonly string[];
}

export type ParameterName = keyof ParameterValues;

export type ParameterChange = { readonly [Name in keyof ParameterValues]: ParameterValues[Name] | null };

export type ReasoningEffort = 'none' | 'low' | 'medium' | 'high';

export interface ParametersView {
  /** What was decided for this conversation. */
  readonly own: ParameterValues;
  /** What holds where nothing was. */
  readonly defaults: ParameterValues;
  /** Names of the sets that the person saved. */
  readonly presets: readonly string[];
  /** What requests of the chosen format have no place for. Absent until it was asked for. */
  readonly uncarried?: readonly ParameterName[];
}

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
  readonly parameters: ParametersView;
  readonly attachments: readonly AttachmentView[];
  readonly estimate: EstimateView;
  readonly balance: BalanceView;
  /** Whether the dashboard's address is known, so that "Get a key" leads somewhere. */
  readonly hasDashboard: boolean;
}

/** Which of the saved conversations are listed, beside what is searched. Without any member all are. */
export interface HistoryFilter {
  readonly pinned?: true;
  /** Those that were begun in the workspace of this window. */
  readonly workspace?: true;
  /** Of the last answer. */
  readonly model?: string;
}

export interface HistoryRow {
  readonly id: string;
  readonly title: string;
  /** Of the last answer; absent when there was none. */
  readonly model?: string;
  /** Questions and answers on the path that shows. */
  readonly messages: number;
  /** Milliseconds since the epoch: the last question or answer. */
  readonly changedAt: number;
  /** US dollars; absent when no price was known. */
  readonly cost?: number;
  readonly pinned: boolean;
  /** Where the search found it in the text: what stands before, the words, and what stands after. */
  readonly excerpt?: readonly [string, string, string];
}

export interface HistoryGroup {
  /** Such as `Pinned` or `Yesterday`. */
  readonly title: string;
  /** Sum over the group, also of rows that were not sent; absent when no price is known. */
  readonly cost?: number;
  readonly rows: readonly HistoryRow[];
}

/** The saved conversations that match query and filter, the latest first, as many as were asked for. */
export interface HistoryView {
  readonly state: 'loading' | 'known' | 'failed';
  readonly query: string;
  readonly filter: HistoryFilter;
  /** What can be filtered by: the models of all saved conversations, and whether this window has a workspace. */
  readonly models: readonly string[];
  readonly hasWorkspace: boolean;
  readonly groups: readonly HistoryGroup[];
  /** How many match, and what they cost together in US dollars. */
  readonly count: number;
  readonly cost?: number;
}

export interface PromptView {
  readonly id: string;
  /** What is typed after the slash. */
  readonly name: string;
  readonly description: string;
  readonly source: 'workspace' | 'profile';
}

/** Something that was done and can be undone for a while. */
export interface NoticeView {
  readonly id: string;
  readonly text: string;
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
  /** Appends to a streaming answer; at most one each frame. */
  | ({ readonly type: 'delta'; readonly turnId: string; readonly figures: AnswerFigures } & AnswerDelta)
  /** Replaces the turns from this place on, counted from 0. */
  | { readonly type: 'turns'; readonly from: number; readonly turns: readonly Turn[] }
  | { readonly type: 'history'; readonly history: HistoryView }
  /** Opens the list of saved conversations. */
  | { readonly type: 'showHistory' }
  /** What can be attached and matches the query. */
  | { readonly type: 'context'; readonly query: string; readonly choices: readonly ContextChoiceView[] }
  | { readonly type: 'prompts'; readonly prompts: readonly PromptView[] }
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

export type PanelMessage =
  | { readonly type: 'ready' }
  /** With two or three models they all answer, side by side. */
  | { readonly type: 'send'; readonly text: string; readonly models?: readonly string[] }
  /** Sends a question again with another text, in a branch of its own. */
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
  /** Leaves a retry's wait at once. */
  | { readonly type: 'retryNow'; readonly turnId: string }
  /** The text in the composer, for the estimate; sent as it changes. */
  | { readonly type: 'draft'; readonly text: string }
  | { readonly type: 'newConversation' }
  | { readonly type: 'chooseModel'; readonly model: string }
  | { readonly type: 'chooseFormat'; readonly format: FormatName }
  /** Decides something for this conversation. `null`: it follows the settings again. */
  | { readonly type: 'setParameters'; readonly change: ParameterChange }
  /** Asks what the chosen format cannot carry; from then on the state says it. */
  | { readonly type: 'checkParameters' }
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
  | { readonly type: 'refreshCatalog' }
  /** Asks for what can be attached. */
  | { readonly type: 'listContext'; readonly query: string }
  | { readonly type: 'attach'; readonly choiceId: string }
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
  /** Where the money and the time went. */
  | { readonly type: 'openUsage' };

/** How messages travel. Injected, so that the panel also runs in a plain page and in tests. */
export interface PanelTransport {
  post(message: PanelMessage): void;
  /** @returns a function that ends the subscription. */
  listen(receive: (message: HostMessage) => void): () => void;
  /** What the panel keeps of itself over a reload of the webview; undefined in a new one. */
  kept(): KeptState | undefined;
  keep(state: KeptState): void;
}

/** What only the panel knows, and would lose with its page. */
export interface KeptState {
  readonly draft: string;
  /** Where the reader was; absent at the end of the conversation. */
  readonly place?: ReadingPlace;
  /** What was opened of that which is folded at first. */
  readonly open?: readonly string[];
}

/** The turn at the upper edge of the view, and how many pixels of it are scrolled out. */
export interface ReadingPlace {
  readonly conversationId: string;
  readonly turnId: string;
  readonly offset: number;
}
