/** The messages between the page that connects a tool and its host. They never contain secrets. */
import type { BudgetPeriod } from '../../rules/period.ts';
import type { KeyFormModel } from '../localKey/protocol.ts';

/** The page's fields with the text as typed. */
export interface ConnectForm {
  readonly tool: string;
  readonly model: string;
  /** The name of the tool's local key. */
  readonly name: string;
  /** In US dollars; empty for no budget. */
  readonly budget: string;
  readonly period: BudgetPeriod;
  /** In US dollars; empty for no cap. */
  readonly sessionDollars: string;
  /** Whether the proposed aliases are added to the gateway's settings. */
  readonly addsAliases: boolean;
}

export type ConnectField = 'model' | 'name' | 'budget' | 'sessionDollars';

/** Error messages by field. */
export type ConnectProblems = { readonly [Field in ConnectField]?: string };

export interface ConnectTool {
  readonly id: string;
  readonly name: string;
  /** Whether the tool was found on this machine, or needs no installation, such as an SDK. */
  readonly isInstalled: boolean;
  /** Whether its program, its extension, or its file was found. */
  readonly isFound: boolean;
  readonly version?: string;
  /** The path of the changed file for display. Undefined for a tool whose settings are copied. */
  readonly file?: string;
  readonly documentation: string;
  /** The program that starts it in a terminal. */
  readonly program?: string;
  readonly isConnected: boolean;
  /** Whether it is configured for an earlier address of the gateway. */
  readonly isStale: boolean;
  /** The page's initial values when the tool is selected. */
  readonly form: ConnectForm;
}

export interface ConnectModel extends KeyFormModel {
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly reasoning?: boolean;
  /** The estimated maximum cost of the check with it in US dollars. */
  readonly checkCost?: number;
}

export interface ConnectState {
  /** Tools that were found come first. */
  readonly tools: readonly ConnectTool[];
  readonly models: readonly ConnectModel[];
  /** The model of the current chat. */
  readonly chatModel: string;
  /** Whether the sandbox answers, whose costs are sample money. */
  readonly isSample?: boolean;
  /** Whether the gateway starts with the editor. Otherwise connected tools find it only after it was started by hand. */
  readonly startsWithEditor: boolean;
  readonly isGatewayRunning: boolean;
}

/** A line of the changed file, or a removed line. A gap stands for unchanged lines that are not shown. */
export type FileDiffLine =
  | { readonly kind: 'same'; readonly old: number; readonly new: number; readonly text: string }
  | { readonly kind: 'added'; readonly new: number; readonly text: string }
  | { readonly kind: 'removed'; readonly old: number; readonly text: string }
  | { readonly kind: 'gap' };

export interface FilePreview {
  /** The path for display. */
  readonly path: string;
  /** The full path of the file that is written, without links. Undefined if the file cannot be changed. */
  readonly target?: string;
  /** Whether the file is created. */
  readonly isNew: boolean;
  readonly lines: readonly FileDiffLine[];
  /** Notes for the user before a key is written there. */
  readonly notes: readonly string[];
  /** Why the file cannot be changed. */
  readonly problem?: string;
}

/** The effects of connecting with a form. */
export interface ConnectPreview {
  readonly problems: ConnectProblems;
  readonly file?: FilePreview;
  /** The text to copy for the tool, with the secret masked. */
  readonly snippet?: string;
  /** Aliases for names that the tool requests regardless of its configuration. */
  readonly aliases: Readonly<Record<string, string>>;
}

export type CheckName = 'gateway' | 'key' | 'model' | 'tool';

export interface CheckRow {
  readonly state: 'waiting' | 'running' | 'passed' | 'failed';
  /** The duration in milliseconds. */
  readonly milliseconds?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** In US dollars. */
  readonly cost?: number;
  /** Whether the cost is the sandbox's sample money. */
  readonly isSample?: boolean;
  /** What went wrong, and what to do about it. */
  readonly problem?: string;
}

/** The check of a connected tool. */
export interface ToolCheck {
  readonly tool: string;
  /** The gateway's host and port, without the protocol. */
  readonly host: string;
  readonly key: string;
  readonly model: string;
  readonly rows: Readonly<Record<CheckName, CheckRow>>;
}

export type ConnectOutcome =
  | { readonly kind: 'connected' | 'disconnected' }
  | { readonly kind: 'failed'; readonly problem: string }
  /** Nothing was changed: the user canceled, or a field is invalid. */
  | { readonly kind: 'none' };

export type ConnectHostMessage =
  | { readonly type: 'state'; readonly state: ConnectState }
  /** The reply to the request with the same number. */
  | { readonly type: 'preview'; readonly number: number; readonly preview: ConnectPreview }
  | { readonly type: 'check'; readonly check: ToolCheck }
  /** The outcome of the last `connect` or `disconnect`. */
  | { readonly type: 'outcome'; readonly outcome: ConnectOutcome };
