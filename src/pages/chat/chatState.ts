/** The state that the chat panel shows. Its host owns it. */
import type { FormatName } from '../../formats/conversation.ts';
import type { ReasoningEffort } from '../../rules/reasoningEffort.ts';
import type { CachePrice } from '../../tokens/price.ts';
import type { PromptParts } from '../../tokens/promptSize.ts';
import type { AttachmentView } from './context.ts';
import type { AgentView, ChatMode, RunView } from './run.ts';
import type { SpentMoney } from './spentMoney.ts';
import type { ChatTurn } from './turn.ts';

/** `none`: neither a key nor the sandbox is set up, so the panel shows the first steps. */
export type ConnectionKind = 'none' | 'hosted' | 'sandbox';

/** The estimate of sending now, for the exact request: system prompt, history, attachments, and draft. */
export interface EstimateView {
  readonly state: 'none' | 'counting' | 'known';
  readonly inputTokens?: number;
  /** True if this is a local estimate and not the service's count. */
  readonly estimated?: boolean;
  /** What the tokens belong to, by local estimates, whose sum can differ from `inputTokens`. */
  readonly parts?: PromptParts;
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
  /** The message that waits for the end of the answer. Empty if there is none. */
  readonly queued?: string;
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

export type { CachePrice } from '../../tokens/price.ts';

export interface ModelView {
  readonly id: string;
  /** The heading in the picker, such as `Family A`. */
  readonly family: string;
  /** In tokens. Undefined if the catalog does not contain it. */
  readonly contextWindow?: number;
  /** In US dollars per 1M tokens. Undefined if the catalog does not contain it. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  /** The prices of reading and writing its cache. Undefined if the catalog has no input price. */
  readonly cachePrices?: readonly CachePrice[];
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly reasoning?: boolean;
  /** The models that it can ask, if it is a route. */
  readonly targets?: readonly string[];
}

export interface CatalogView {
  readonly models: readonly ModelView[];
  readonly state: 'loading' | 'current' | 'stale' | 'failed';
  /** When the list was read, in milliseconds since the epoch. Undefined if it never was. */
  readonly readAt?: number;
  readonly problem?: string;
}

/** Parameters of one conversation, except its model and format. */
export interface ParameterValues {
  readonly systemPrompt?: string;
  /** The maximum number of tokens of an answer. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly reasoningEffort?: ReasoningEffort;
  readonly stopSequences?: readonly string[];
}

export type ParameterName = keyof ParameterValues;

export type ParameterChange = { readonly [Name in keyof ParameterValues]: ParameterValues[Name] | null };

/** The workspace's instructions for all models, such as its `AGENTS.md`. */
export interface InstructionsView {
  readonly label: string;
  /** An estimate. */
  readonly tokens: number;
  /** Whether this conversation's requests contain the instructions. */
  readonly isSent: boolean;
}

export interface ParametersView {
  /** The parameters set for this conversation. */
  readonly own: ParameterValues;
  /** The values of parameters that are not set. */
  readonly defaults: ParameterValues;
  /** The names of the user's presets. */
  readonly presets: readonly string[];
  /** Undefined if the workspace has no instructions. */
  readonly instructions?: InstructionsView;
  /** The parameters that the chosen format does not support. Undefined until they were requested. */
  readonly dropped?: readonly ParameterName[];
}
