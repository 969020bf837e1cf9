/**
 * What the host and the gateway's worker say to each other: settings and secrets down, addresses and records up. What
 * the extension itself asks of the sandbox also goes over this port, so that it needs no listener. Gateway and extension
 * share one sandbox and its credit.
 */
import type { LedgerEntry } from '../core/ledgerEntry.ts';
import type { ClientSession } from '../core/sessionHash.ts';
import type { Endpoint } from '../core/upstream.ts';
import type { BalanceReading } from '../ledger/balanceReadings.ts';
import type { LedgerAnswer, LedgerQuestion } from '../ledger/ledgerQuestion.ts';
import type { GatewayMessage, ListenCommand, SettingsCommand } from '../sharing/protocol.ts';
import type { TrafficCommand } from '../traffic/protocol.ts';
import type { EditorReply, EditorRequest } from '../upstreams/editorModels/protocol.ts';

/** A request of the extension itself to the sandbox. Answered by the messages of {@link AnswerMessage}. */
export interface AskCommand {
  readonly type: 'ask';
  readonly requestId: number;
  readonly endpoint: Endpoint;
  /** JSON; absent on GET. */
  readonly body?: string;
}

/** About the gateway's listener; carried out in the order in which they were sent. */
export type ListenerCommand =
  /** Answered by `listening` or `failed`. A listener that is open is closed first. */
  | ListenCommand
  | SettingsCommand
  /**
   * Stops the gateway, in all windows that share it. Streams under way may finish for `graceMs`, 5 s when absent.
   * Answered by `closed`, also when it was not open.
   */
  | { readonly type: 'close'; readonly graceMs?: number }
  /** The same for this window alone: another one takes over. */
  | { readonly type: 'leave'; readonly graceMs?: number };

/** What the ledger is told about a request of the editor itself. */
export interface CallReport {
  /** The path of the ledger. */
  readonly ledger: string;
  readonly entry: LedgerEntry;
  readonly session?: ClientSession | undefined;
}

export type HostMessage =
  | ListenerCommand
  | TrafficCommand
  | AskCommand
  | EditorReply
  | { readonly type: 'cancel'; readonly requestId: number }
  /** Whether the gateway listens or not, here or elsewhere. Answered by `ledgerAnswer`. */
  | { readonly type: 'readLedger'; readonly requestId: number; readonly question: LedgerQuestion }
  /** One that goes on, with an estimate of what it has used: again and again, for the case that its process dies. */
  | ({ readonly type: 'beginCall' } & CallReport)
  /** An exchange of the editor itself, past the gateway. Answered by nothing but a `log` when it cannot be written. */
  | ({ readonly type: 'recordCall' } & CallReport)
  | { readonly type: 'recordBalance'; readonly ledger: string; readonly reading: BalanceReading }
  /** Leaves the gateway; then the worker ends by itself. */
  | { readonly type: 'stop'; readonly graceMs?: number };

/** The answer to one request: a start, data, and an end or a failure. */
export type AnswerMessage =
  | {
      readonly type: 'answerStart';
      readonly requestId: number;
      readonly status: number;
      readonly headers: [name: string, value: string][];
    }
  | { readonly type: 'answerData'; readonly requestId: number; readonly chunk: Uint8Array }
  | { readonly type: 'answerEnd'; readonly requestId: number }
  | { readonly type: 'answerFail'; readonly requestId: number; readonly message: string };

export type WorkerMessage =
  | AnswerMessage
  | GatewayMessage
  | EditorRequest
  /** Without an answer the ledger could not be read, and `problem` says why. */
  | {
      readonly type: 'ledgerAnswer';
      readonly requestId: number;
      readonly answer?: LedgerAnswer;
      readonly problem?: string;
    };
