/**
 * The messages between the chat panel and its host. The host owns the state: it sends a snapshot when a panel (new,
 * reloaded, or restored) sends `ready`, and deltas after that. The panel's only own state is the text being typed, the
 * reading position, and what is expanded, which are kept in the webview's state.
 * Messages never contain keys, addresses with credentials, or file paths outside the workspace.
 */
import type { ChatState, NoticeView, PromptView, StarterView } from './chatState.ts';
import type { ContextChoiceView, PageView } from './context.ts';
import type { SpentMoney } from './spentMoney.ts';
import type { AnswerDelta, AnswerFigures, ChatTurn } from './turn.ts';

export type * from './chatState.ts';
export type * from './context.ts';
export type * from './run.ts';
export type * from './turn.ts';

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

/** Filters for the saved conversations, in addition to the search. Without any member, all are listed. */
export interface HistoryFilter {
  readonly pinned?: true;
  /** Only conversations that were started in this window's workspace. */
  readonly workspace?: true;
  /** The model of the last answer. */
  readonly model?: string;
}

export interface HistoryRow extends SpentMoney {
  readonly id: string;
  readonly title: string;
  /** The model of the last answer. Undefined if there is none. */
  readonly model?: string;
  /** The number of questions and answers on the path shown. */
  readonly messages: number;
  /** The time of the last question or answer, in milliseconds since the epoch. */
  readonly changedAt: number;
  readonly pinned: boolean;
  /** Whether it began as a copy of another conversation. */
  readonly isFork?: true;
  /** The first match of the search: the text before it, the match, and the text after it. */
  readonly excerpt?: readonly [string, string, string];
}

/** The sum covers the whole group, including rows that were not sent. */
export interface HistoryGroup extends SpentMoney {
  /** A title such as `Pinned` or `Yesterday`. */
  readonly title: string;
  readonly rows: readonly HistoryRow[];
}

/** The saved conversations that match query and filter, the latest first, up to the requested number. */
export interface HistoryView extends SpentMoney {
  readonly state: 'loading' | 'known' | 'failed';
  readonly query: string;
  readonly filter: HistoryFilter;
  /** The values to filter by: the models of all saved conversations, and whether this window has a workspace. */
  readonly models: readonly string[];
  readonly hasWorkspace: boolean;
  readonly groups: readonly HistoryGroup[];
  /** The number of all matching conversations, to which the sum refers. */
  readonly count: number;
}
