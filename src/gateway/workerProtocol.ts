/**
 * What the host and the gateway's worker say to each other: settings and secrets down, addresses and records up. What
 * the extension itself asks of the sandbox also goes over this port, so that it needs no listener. Gateway and extension
 * share one sandbox and its credit.
 */
import type { ExchangeRecord } from './exchanges/record.ts';
import type { IssuedKey } from './keys/issuedKey.ts';
import type { SpendingLimits } from './keys/spendingLimits.ts';
import type { BalanceReading } from './ledger/balanceReadings.ts';
import type { LedgerEntry } from './ledger/ledgerEntry.ts';
import type { LedgerAnswer, LedgerQuestion } from './ledger/ledgerQuestion.ts';
import type { RunningCall, RunningExchange, TrafficAnswer, TrafficQuestion } from './traffic/protocol.ts';
import type { EditorAnswer, EditorQuestion } from './upstreams/editorModels/protocol.ts';
import type { Endpoint } from './upstreams/upstream.ts';
import type { SandboxSettings, UpstreamSettings } from './upstreams/upstreams.ts';

export interface ListenCommand {
  readonly type: 'listen';
  /** 0 takes a free one. */
  readonly port: number;
  readonly localKeys: readonly IssuedKey[];
  readonly upstream: UpstreamSettings;
  readonly allowedOrigins?: readonly string[];
  readonly allowedHosts?: readonly string[];
  /** Holds for the first listener that asks for the sandbox. */
  readonly sandbox?: SandboxSettings;
  /** The path of the ledger, made where there is none. What keeps it from being written comes as a `log`. */
  readonly ledger?: string;
  /** Of the service's key as a whole. */
  readonly limits?: SpendingLimits;
  /** Whether bodies are kept in memory for the traffic view. */
  readonly captureBodies?: boolean;
  /** Whether this window's folder is trusted: else no bodies are kept while the gateway runs here. */
  readonly isTrusted?: boolean;
  /** One gateway for all windows of the user; without it, one of this worker's own. */
  readonly shared?: SharedFiles;
  /** Joins the gateway that runs, if one does; else answered by `closed`. */
  readonly onlyJoin?: boolean;
}

/** Paths of what the windows of one user have in common on this machine. */
export interface SharedFiles {
  /** By which their gateways know each other; made where there is none. */
  readonly secret: string;
  /** There while a gateway runs; says where. */
  readonly presence: string;
}

/** A request of the extension itself to the sandbox. Answered by the messages of {@link AnswerMessage}. */
export interface AskCommand {
  readonly type: 'ask';
  readonly requestId: number;
  readonly endpoint: Endpoint;
  /** JSON; absent on GET. */
  readonly body?: string;
}

/** Take effect in whichever window the gateway runs; the port stays open. Answered only by failures. */
export type SettingsCommand =
  /** The whole list. Effective at once: what keys run that are gone from it, or have another secret, ends. */
  | { readonly type: 'setLocalKeys'; readonly localKeys: readonly IssuedKey[] }
  /** For new requests. */
  | { readonly type: 'setUpstream'; readonly upstream: UpstreamSettings }
  | { readonly type: 'setAllowedOrigins'; readonly allowedOrigins: readonly string[] }
  /** For new requests. */
  | { readonly type: 'setLimits'; readonly limits: SpendingLimits }
  | { readonly type: 'setCaptureBodies'; readonly captureBodies: boolean };

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

/** A question to the editor of the worker's window. Answered by {@link EditorReply}, in several pieces for a chat. */
export type EditorRequest =
  | { readonly type: 'askEditor'; readonly questionId: number; readonly question: EditorQuestion }
  | { readonly type: 'cancelEditor'; readonly questionId: number };

export interface EditorReply {
  readonly type: 'editorAnswer';
  readonly questionId: number;
  readonly answer: EditorAnswer;
}

/** About the exchanges of the gateway, in whichever window it runs. */
export type TrafficCommand =
  /** Switches {@link RunningMessage} on and off. */
  | { readonly type: 'watchTraffic'; readonly isOn: boolean }
  /** Answered by `trafficAnswer`. */
  | { readonly type: 'askTraffic'; readonly requestId: number; readonly question: TrafficQuestion }
  /** The editor's own calls that go on in this window: all of them, whenever one begins, is answered or ends. */
  | CallsMessage
  /** The folder of this window is trusted from now on. */
  | { readonly type: 'grantTrust' };

export interface CallsMessage {
  readonly type: 'tellCalls';
  readonly calls: readonly RunningCall[];
}

/** What runs: again and again while something does, and once when nothing does any more. */
export interface RunningMessage {
  readonly type: 'running';
  readonly exchanges: readonly RunningExchange[];
  /** Of the editor itself, in all windows that share the gateway. */
  readonly calls: readonly RunningCall[];
}

/** A person in another window ends a call of this one. */
export interface CancelCallMessage {
  readonly type: 'cancelCall';
  readonly id: string;
}

export interface TrafficReply {
  readonly type: 'trafficAnswer';
  readonly requestId: number;
  readonly answer: TrafficAnswer;
}

export type HostMessage =
  | ListenerCommand
  | TrafficCommand
  | AskCommand
  | EditorReply
  | { readonly type: 'cancel'; readonly requestId: number }
  /** Whether the gateway listens or not, here or elsewhere. Answered by `ledgerAnswer`. */
  | { readonly type: 'readLedger'; readonly requestId: number; readonly question: LedgerQuestion }
  /** An exchange of the editor itself, past the gateway. Answered by nothing but a `log` when it cannot be written. */
  | { readonly type: 'recordCall'; readonly ledger: string; readonly entry: LedgerEntry }
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
  | RunningMessage
  | TrafficReply
  | CancelCallMessage
  | EditorRequest
  /** Comes again when another window takes over, or this one does. */
  | {
      readonly type: 'listening';
      readonly address: string;
      readonly port: number;
      /** Whose worker holds the port. */
      readonly owner: 'self' | 'other';
    }
  /** `code` is the system's, such as `EADDRINUSE`, when it gave one. */
  | { readonly type: 'failed'; readonly code?: string; readonly message: string }
  /** As it was told, or since it was stopped in another window; with a problem, since nobody could take over. */
  | { readonly type: 'closed'; readonly problem?: string }
  /** The local keys as they are now: they were changed in another window. */
  | { readonly type: 'localKeys'; readonly localKeys: ListenCommand['localKeys'] }
  /** After the end, with what it cost where that is known; so not quite in the order of the ends. */
  | { readonly type: 'exchange'; readonly record: ExchangeRecord }
  /** Without an answer the ledger could not be read, and `problem` says why. */
  | {
      readonly type: 'ledgerAnswer';
      readonly requestId: number;
      readonly answer?: LedgerAnswer;
      readonly problem?: string;
    }
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };
