/** A run of the agent as the panel shows it: the steps that a model takes to answer one question with tools. */
import type { RunAction } from '../../rules/answer.ts';
import type { PromptParts } from '../../tokens/promptSize.ts';

export type { ActionKind, RunAction } from '../../rules/answer.ts';

/**
 * Whether the panel answers a question, or lets the model act. The `reviewingAgent` holds each edit back until the user has
 * accepted it.
 */
export type ChatMode = 'ask' | 'agent' | 'reviewingAgent';

/** An agent of a file that the person can choose for a chat. */
export interface AgentView {
  readonly name: string;
  readonly description: string;
}

/**
 * - `waiting`: for the user's decision. Nothing is charged meanwhile.
 * - `interrupted`: the window was closed in the middle of a run, which can be continued.
 * - `elsewhere`: another window works on it.
 */
export type RunState = 'running' | 'waiting' | 'stopped' | 'done' | 'interrupted' | 'elsewhere';

/** Whether the sandbox was switched on or off. */
export type SandboxSwitch = 'on' | 'off';

export interface PlanItem {
  readonly text: string;
  readonly state: 'open' | 'current' | 'done';
}

/** Amounts are in US dollars. */
export interface RunView {
  /** The ID of the question that it answers. */
  readonly id: string;
  readonly state: RunState;
  /** The number of requests sent so far, and the most that are sent without asking. */
  readonly step: number;
  readonly maxSteps: number;
  /** When it began and how long it worked, in milliseconds since the epoch and in milliseconds. */
  readonly startedAt: number;
  readonly activeMs: number;
  /** Undefined if no price is known. */
  readonly spent?: number;
  /** The part of `spent` that the steps shown do not explain. */
  readonly replaced?: ReplacedSteps;
  /** 0 without a cap. */
  readonly cap: number;
  /** The most that one step may be expected to cost without a question. 0 without a cap. */
  readonly stepCap: number;
  /** The model that summarizes the steps of a long run; empty for the chat's model. */
  readonly summaryModel: string;
  readonly plan: readonly PlanItem[];
  /** The decision that the run waits for. */
  readonly question?: RunQuestion;
  /** Why the run stopped by itself. */
  readonly loop?: LoopView;
  /** Which switch of the sandbox has stopped it. */
  readonly sandbox?: SandboxSwitch;
  /** A text from a file, page, or tool that contains instructions to the model. */
  readonly warning?: InstructionsWarning;
  readonly changes: ChangesView;
  /** Undefined while no step can follow. */
  readonly next?: NextStepView;
  /** The commands of this chat that go on in the background. */
  readonly commands?: readonly CommandView[];
  /** What other agents can do next, once the run is done: the words on their buttons. */
  readonly handoffs?: readonly string[];
  /** The turn that the user is asked to restore to, which may be an earlier one. */
  readonly restore?: RestoreView;
}

/** Answers that broke off and were replaced by others, or that are in another branch. Their cost is in US dollars. */
export interface ReplacedSteps {
  readonly count: number;
  readonly cost: number;
}

/** A command in the background. */
export interface CommandView {
  readonly id: string;
  readonly command: string;
  readonly isRunning: boolean;
  readonly exitCode?: number;
  /** The last lines that it has printed. */
  readonly output: string;
  /** The question that it seems to wait for an answer to. */
  readonly question?: string;
  /** Whether it goes on when the run ends. */
  readonly isKept: boolean;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
}

export type CommandAct = 'stop' | 'keep' | 'show';

/** What is lost when the state before a turn is restored. */
export interface RestoreView {
  /** The run of the turn. */
  readonly runId: string;
  /** The files that change back. */
  readonly files: readonly RestoredFile[];
  /** Files and folders in which the changes of commands are not restored, because nobody knows what was there before. */
  readonly unrestored: readonly string[];
  /** Whether commands or tools ran, which may have changed what is not looked at: ignored files, or others elsewhere. */
  readonly hasCommands: boolean;
  /** The number of steps that are removed from the chat, with those of later turns. */
  readonly steps: number;
}

export interface RestoredFile {
  /** The file's path in the workspace. */
  readonly path: string;
  /** Whether the user has edited it after the run. */
  readonly isEdited: boolean;
}

/** What the user restores. */
export interface RestoreChoice {
  readonly files: boolean;
  readonly chat: boolean;
}

/** The estimate for the next step. */
export interface NextStepView {
  readonly inputTokens: number;
  /** As in the estimate of a question. */
  readonly parts?: PromptParts;
  /** The share of the input that the service probably reads from its cache, from 0 to 1. */
  readonly cachedShare?: number;
  readonly cost?: number;
  readonly balanceAfter?: number;
}

/** The changes of the run that were neither accepted nor discarded. */
export interface ChangesView {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** A line of a difference: unchanged, added, or removed. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** The line's numbers before and after the change, counted from 1. Undefined on the side where it does not exist. */
  readonly old?: number;
  readonly new?: number;
}

export type RunQuestion = ApprovalQuestion | CapQuestion | FormQuestion;

/** Asks whether a tool may act. */
export interface ApprovalQuestion {
  readonly type: 'approval';
  /** Different for each question, unlike the IDs of calls, which the model chooses. Counted from 1. */
  readonly number: number;
  /** The ID of the tool call. */
  readonly callId: string;
  readonly action: RunAction;
  /** The folder that a command runs in, as a workspace path. */
  readonly folder?: string;
  /** What would be written. */
  readonly diff?: readonly DiffLine[];
  /** The skill that a command belongs to. */
  readonly skill?: string;
  /** What a tool of another extension is called with, as JSON. */
  readonly input?: string;
  /** Offered besides the single time; neither for what must be asked every time. */
  readonly choices: readonly ('chat' | 'always')[];
  /** What `always` covers, such as `npm test*`. */
  readonly pattern?: string;
  /**
   * Why it is asked every time: the file is outside the workspace, is ignored, or may contain secrets, or
   * a text that the model has read gave instructions.
   */
  readonly reason?: 'outside' | 'ignored' | 'secret' | 'instructions';
  /** The source that gave instructions before, such as a path. */
  readonly after?: string;
  /** How many secrets it contains that were replaced in the model's request. */
  readonly secrets?: number;
  /** The helper that asks, by its name. */
  readonly helper?: string;
}

/** Asks before the step that would exceed a limit. */
export interface CapQuestion {
  readonly type: 'cap';
  readonly limit: 'run' | 'step' | 'steps';
  /** The current limit: US dollars, or a number of steps. */
  readonly value: number;
  /** What it can be raised by. The first one is preselected. */
  readonly raises: readonly number[];
  /** The number of items of the plan that are not done. */
  readonly openItems: number;
}

/** A question of the model. */
export interface FormQuestion {
  readonly type: 'form';
  /** As of an {@link ApprovalQuestion}. */
  readonly number: number;
  readonly callId: string;
  readonly text: string;
  /** Answers to choose from; may be empty. Another one can always be written. */
  readonly options: readonly string[];
}

/** The same call with the same result three times, or edits that undo each other twice. */
export interface LoopView {
  readonly kind: 'sameCall' | 'undoneEdits';
  /** The first line of the common result, or the path of the file. */
  readonly detail: string;
  /** The last lines of the common result, if it has several. */
  readonly result?: string;
  readonly steps: readonly LoopStep[];
}

export interface LoopStep {
  readonly step: number;
  readonly object: string;
  readonly cost?: number;
  /** The first lines that it changed, of edits that undo each other. */
  readonly diff?: readonly DiffLine[];
}

export interface InstructionsWarning {
  /** The path, address, or tool that it came from. */
  readonly source: string;
  readonly quote: string;
  /** Whether the source is a file of the workspace that can be opened. */
  readonly isFile: boolean;
}

/** The user's decision about a call. */
export type ApprovalChoice = 'once' | 'chat' | 'always' | 'deny';
