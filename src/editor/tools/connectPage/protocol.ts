/** What the page that connects a tool and its host say to each other. No secret is in any of it. */
import type { BudgetPeriod, KeyFormModel } from '../../localKeys/keyPage/protocol.ts';
import type { PageReady, PageTransport } from '../../webviews/protocol.ts';

/** The fields of the page as they were typed. */
export interface ConnectForm {
  readonly tool: string;
  readonly model: string;
  /** Name of the tool's local key. */
  readonly name: string;
  /** US dollars; empty for no budget. */
  readonly budget: string;
  readonly period: BudgetPeriod;
  /** US dollars; empty for no cap. */
  readonly sessionDollars: string;
  /** Whether the proposed aliases are added to the settings of the gateway. */
  readonly addsAliases: boolean;
}

export type ConnectField = 'model' | 'name' | 'budget' | 'sessionDollars';

/** What is wrong with fields, in words for the person. */
export type ConnectProblems = { readonly [Field in ConnectField]?: string };

export interface ConnectTool {
  readonly id: string;
  readonly name: string;
  /** Found on this machine, or something that needs no installation, such as an SDK. */
  readonly isInstalled: boolean;
  /** Its program, its extension, or its file was found. */
  readonly isFound: boolean;
  readonly version?: string;
  /** The file that changes, as it is shown; absent for a tool whose fields are copied. */
  readonly file?: string;
  readonly documentation: string;
  /** What starts it in a terminal. */
  readonly program?: string;
  readonly isConnected: boolean;
  /** It looks for the gateway at an earlier address. */
  readonly isStale: boolean;
  /** What the page begins with when the tool is chosen. */
  readonly form: ConnectForm;
}

export interface ConnectModel extends KeyFormModel {
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly reasoning?: boolean;
  /** What the check costs with it at most, in US dollars, as estimated. */
  readonly checkCost?: number;
}

export interface ConnectState {
  /** Tools that were found first. */
  readonly tools: readonly ConnectTool[];
  readonly models: readonly ConnectModel[];
  /** The model of the current chat. */
  readonly chatModel: string;
  /** The sandbox answers, and its money is a sample. */
  readonly isSample?: boolean;
}

/** A line of the file as it will be, or one that is removed. A gap stands for lines that stay and are not shown. */
export type DiffLine =
  | { readonly kind: 'same'; readonly old: number; readonly new: number; readonly text: string }
  | { readonly kind: 'added'; readonly new: number; readonly text: string }
  | { readonly kind: 'removed'; readonly old: number; readonly text: string }
  | { readonly kind: 'gap' };

export interface FilePreview {
  /** As it is shown. */
  readonly path: string;
  /** Whether the file is created. */
  readonly isNew: boolean;
  readonly lines: readonly DiffLine[];
  /** What a person should know before a key is written there. */
  readonly notes: readonly string[];
  /** Why the file cannot be changed. */
  readonly problem?: string;
}

/** What connecting with a form would do. */
export interface ConnectPreview {
  readonly problems: ConnectProblems;
  readonly file?: FilePreview;
  /** What is copied for the tool, with the secret masked. */
  readonly snippet?: string;
  /** By names that the tool asks for whatever its configuration says. */
  readonly aliases: Readonly<Record<string, string>>;
}

export type CheckName = 'gateway' | 'key' | 'model' | 'tool';

export interface CheckRow {
  readonly state: 'waiting' | 'running' | 'passed' | 'failed';
  /** How long it took, in milliseconds. */
  readonly milliseconds?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** US dollars. */
  readonly cost?: number;
  /** The cost is the sandbox's sample money. */
  readonly isSample?: boolean;
  /** What went wrong, and what to do about it. */
  readonly problem?: string;
}

/** The check of a connected tool. */
export interface ToolCheck {
  readonly tool: string;
  /** Of the gateway, without the protocol. */
  readonly host: string;
  readonly key: string;
  readonly model: string;
  readonly rows: Readonly<Record<CheckName, CheckRow>>;
}

export type ConnectOutcome =
  | { readonly kind: 'connected' | 'disconnected' }
  | { readonly kind: 'failed'; readonly problem: string }
  /** Nothing was done: the person gave up, or a field is wrong. */
  | { readonly kind: 'none' };

export type ConnectHostMessage =
  | { readonly type: 'state'; readonly state: ConnectState }
  /** The answer to a request of the same number. */
  | { readonly type: 'preview'; readonly number: number; readonly preview: ConnectPreview }
  | { readonly type: 'check'; readonly check: ToolCheck }
  /** What came of the last `connect` or `disconnect`. */
  | { readonly type: 'outcome'; readonly outcome: ConnectOutcome };

export type ConnectPageMessage =
  | PageReady
  | { readonly type: 'preview'; readonly number: number; readonly form: ConnectForm }
  | { readonly type: 'connect'; readonly form: ConnectForm }
  | { readonly type: 'disconnect' | 'check' | 'copySnippet'; readonly tool: string }
  | { readonly type: 'openFile' | 'openDocumentation' | 'openTerminal'; readonly tool: string }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'close' };

/** The page keeps its form while it is hidden. */
export type ConnectTransport = PageTransport<ConnectHostMessage, ConnectPageMessage, ConnectForm>;
