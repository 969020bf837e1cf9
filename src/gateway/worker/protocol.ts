/**
 * Messages between the host and the gateway's worker: settings and secrets to the worker, addresses and records to the
 * host. The extension's own requests to the sandbox and to routes also use this port, so that they need no listener.
 * The gateway and the extension share one sandbox and its credit.
 */

import type { BalanceReading } from '../../ledger/balanceReadings.ts';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import type { LedgerAnswer, LedgerQuestion } from '../../ledger/ledgerQuestion.ts';
import type { RoutedFacts } from '../../ledger/routedFacts.ts';
import type { ClientSession } from '../../ledger/sessionHash.ts';
import type { Endpoint } from '../core/upstream.ts';
import type { UpstreamSettings } from '../routing/upstreams.ts';
import type { ChangeCommand, GatewayMessage, ListenCommand } from '../sharing/protocol.ts';
import type { TrafficCommand } from '../traffic/protocol.ts';
import type { EditorReply, EditorRequest } from '../upstreams/editorModels/protocol.ts';

/** A request of the extension itself to the sandbox or a route. Answered by the messages of {@link WorkerAnswer}. */
export interface AskCommand {
  readonly type: 'ask';
  readonly requestId: number;
  readonly endpoint: Endpoint;
  /** JSON. Undefined for GET. */
  readonly body?: string;
  /** The route that is asked for, with all upstreams. Undefined for the sandbox. */
  readonly route?: { readonly name: string; readonly upstream: UpstreamSettings };
}

/** Makes the worker report with `ran` that a command has ended. */
interface NumberedCommand {
  readonly number?: number;
}

/** Commands for the gateway's listener, run in the order in which they are sent. */
export type ListenerCommand =
  /** Answered by `listening` or `failed`. An open listener is closed first. */
  | (ListenCommand & NumberedCommand)
  | ChangeCommand
  /**
   * Stops the gateway in all windows that share it. Running streams may continue for `graceMs`, 5 s by default.
   * Answered by `closed`, even if the gateway was not open.
   */
  | ({ readonly type: 'close'; readonly graceMs?: number } & NumberedCommand)
  /** Like `close`, but for this window only: another window takes over. */
  | { readonly type: 'leave'; readonly graceMs?: number };

export interface CallReport {
  /** Path of the ledger's file. */
  readonly ledger: string;
  readonly entry: LedgerEntry;
  readonly session?: ClientSession | undefined;
}

/** What the worker gets when it is started. */
export interface WorkerSettings {
  /** Path of the file with what the sandbox's account has used. */
  readonly sandboxAccount: string;
}

export type HostMessage =
  | ListenerCommand
  | TrafficCommand
  | AskCommand
  | EditorReply
  | { readonly type: 'cancel'; readonly requestId: number }
  /** Works whether or not the gateway is running. Answered by `ledgerAnswer`. */
  | { readonly type: 'readLedger'; readonly requestId: number; readonly question: LedgerQuestion }
  /**
   * A running request with its usage estimated so far. Sent repeatedly, in case the editor's process ends without a
   * record.
   */
  | ({ readonly type: 'beginCall' } & CallReport)
  /**
   * A finished request that the editor sent without the gateway. Not answered; if it cannot be written, a `log`
   * follows.
   */
  | ({ readonly type: 'recordCall' } & CallReport)
  /** Adds what such a request consists of to its record. */
  | ({
      readonly type: 'measureCall';
      readonly body: Uint8Array<ArrayBuffer>;
      /** Whether the record gets the names of files. */
      readonly keepsNames: boolean;
    } & CallReport)
  /** Applies to later streams of this worker's sandbox. */
  | { readonly type: 'setSandboxDelay'; readonly delayMs: number }
  /** Restores the sandbox's credit, in all windows. */
  | { readonly type: 'restartSandbox' }
  /** Asks for the session of a sample agent in the sandbox, which is recorded once. Answered by `sampleSession`. */
  | { readonly type: 'openSampleSession'; readonly requestId: number; readonly ledger: string }
  | { readonly type: 'recordBalance'; readonly ledger: string; readonly reading: BalanceReading }
  /** Leaves the gateway, then ends the worker. */
  | { readonly type: 'stop'; readonly graceMs?: number };

/** The answer to a request: a start, data, then an end or a failure. */
export type WorkerAnswer =
  | {
      readonly type: 'answerStart';
      readonly requestId: number;
      readonly status: number;
      readonly headers: [name: string, value: string][];
      readonly facts?: RoutedFacts | undefined;
    }
  | { readonly type: 'answerData'; readonly requestId: number; readonly chunk: Uint8Array }
  | { readonly type: 'answerEnd'; readonly requestId: number; readonly facts?: RoutedFacts }
  | {
      readonly type: 'answerFail';
      readonly requestId: number;
      readonly message: string;
      readonly facts?: RoutedFacts;
    };

export type WorkerMessage =
  | WorkerAnswer
  | GatewayMessage
  | EditorRequest
  /** A command with a number has ended. It has a failure instead of the message `failed`. */
  | {
      readonly type: 'ran';
      readonly number: number;
      readonly failure?: { readonly code?: string; readonly message: string };
    }
  /** If `sessionId` is undefined, the session could not be recorded, and `problem` contains the reason. */
  | {
      readonly type: 'sampleSession';
      readonly requestId: number;
      readonly sessionId?: string;
      readonly problem?: string;
    }
  /** If `answer` is undefined, the ledger could not be read, and `problem` contains the reason. */
  | {
      readonly type: 'ledgerAnswer';
      readonly requestId: number;
      readonly answer?: LedgerAnswer;
      readonly problem?: string;
    };
