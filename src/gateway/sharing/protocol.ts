/** How a gateway is started and how its settings change, in whichever window it runs. */

import type { SpendingLimits } from '../budgets/spendingLimits.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { SessionNotice } from '../core/sessionNotice.ts';
import type { IssuedKey } from '../keys/issuedKey.ts';
import type { SandboxSettings, UpstreamSettings } from '../routing/upstreams.ts';
import type { CancelCallMessage, RunningMessage, TrafficReply } from '../traffic/protocol.ts';

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
  /** Whether requests are searched for secrets. */
  readonly detectSecrets?: boolean;
  /** Whether sessions end in which an agent repeats itself. */
  readonly endLoops?: boolean;
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

/** Take effect in whichever window the gateway runs; the port stays open. Answered only by failures. */
export type SettingsCommand =
  /** The whole list. Effective at once: what keys run that are gone from it, or have another secret, ends. */
  | { readonly type: 'setLocalKeys'; readonly localKeys: readonly IssuedKey[] }
  /** For new requests. */
  | { readonly type: 'setUpstream'; readonly upstream: UpstreamSettings }
  | { readonly type: 'setAllowedOrigins'; readonly allowedOrigins: readonly string[] }
  /** For new requests. */
  | { readonly type: 'setLimits'; readonly limits: SpendingLimits }
  | { readonly type: 'setCaptureBodies'; readonly captureBodies: boolean }
  /** For new requests. */
  | { readonly type: 'setDetectSecrets'; readonly detectSecrets: boolean }
  | { readonly type: 'setEndLoops'; readonly endLoops: boolean };

/** What a window is told about the gateway that it runs or follows. */
export type ExchangeEvent =
  /** Sent after the exchange has ended, with its cost where that is known; so not quite in the order of the ends. */
  | { readonly type: 'exchange'; readonly record: ExchangeRecord }
  /** Sent when exchanges can be read from the ledger: their ids. */
  | { readonly type: 'entered'; readonly ids: readonly string[] }
  /** Something that a person should know or decide about a session. */
  | { readonly type: 'session'; readonly notice: SessionNotice };

export type GatewayMessage =
  | RunningMessage
  | TrafficReply
  | CancelCallMessage
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
  /** The gateway was stopped, here or in another window; with a `problem` when no window could take over. */
  | { readonly type: 'closed'; readonly problem?: string }
  /** The local keys after a change in another window. */
  | { readonly type: 'localKeys'; readonly localKeys: ListenCommand['localKeys'] }
  | ExchangeEvent
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };
