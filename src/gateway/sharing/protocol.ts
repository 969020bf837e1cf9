/** Commands to start a gateway and to change its settings, independently of the window in which it runs. */

import type { SpendingLimits } from '../budgets/spendingLimits.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { SessionNotice } from '../core/sessionNotice.ts';
import type { IssuedKey } from '../keys/issuedKey.ts';
import type { SandboxSettings, UpstreamSettings } from '../routing/upstreams.ts';
import type { CancelCallMessage, RunningMessage, TrafficReply } from '../traffic/protocol.ts';

export interface ListenCommand {
  readonly type: 'listen';
  /** 0 selects a free port. */
  readonly port: number;
  readonly localKeys: readonly IssuedKey[];
  readonly upstream: UpstreamSettings;
  readonly allowedOrigins?: readonly string[];
  readonly allowedHosts?: readonly string[];
  /** Only applies to the first listener that uses the sandbox. */
  readonly sandbox?: SandboxSettings;
  /** Path of the ledger, which is created if it does not exist. If it cannot be written, a `log` reports the reason. */
  readonly ledger?: string;
  /** Limits for the service's key. */
  readonly limits?: SpendingLimits;
  /** Whether bodies are kept in memory for the traffic view. */
  readonly captureBodies?: boolean;
  /** Whether requests are searched for secrets. */
  readonly detectSecrets?: boolean;
  /** Whether a session is ended when its agent repeats the same calls. */
  readonly endLoops?: boolean;
  /** Whether the ledger gets the repository and branch that a request is for, if known. */
  readonly recordRepositories?: boolean;
  /** Whether this window's folder is trusted. Otherwise, a gateway in this window captures no bodies. */
  readonly isTrusted?: boolean;
  /** For a gateway that all windows of the user share. If undefined, this worker runs its own. */
  readonly shared?: SharedFiles;
  /** Joins a running gateway. If there is none, the answer is `closed`. */
  readonly onlyJoin?: boolean;
}

/** Paths of the files that the windows of one user share on this machine. */
export interface SharedFiles {
  /** The secret with which their gateways authenticate each other. Created if it does not exist. */
  readonly secret: string;
  /** Exists while a gateway runs, and contains its port. */
  readonly presence: string;
}

/** Take effect in the window in which the gateway runs; the port stays open. Only failures are answered. */
export type SettingsCommand =
  /** The complete list. Takes effect immediately: the running requests of keys that are removed or rotated end. */
  | { readonly type: 'setLocalKeys'; readonly localKeys: readonly IssuedKey[] }
  /** Applies to new requests. */
  | { readonly type: 'setUpstream'; readonly upstream: UpstreamSettings }
  | { readonly type: 'setAllowedOrigins'; readonly allowedOrigins: readonly string[] }
  /** Applies to new requests. */
  | { readonly type: 'setLimits'; readonly limits: SpendingLimits }
  | { readonly type: 'setCaptureBodies'; readonly captureBodies: boolean }
  /** Applies to new requests. */
  | { readonly type: 'setDetectSecrets'; readonly detectSecrets: boolean }
  | { readonly type: 'setEndLoops'; readonly endLoops: boolean }
  /** Applies to new requests. */
  | { readonly type: 'setRecordRepositories'; readonly recordRepositories: boolean };

/** What a window learns about the gateway that it runs or follows. */
export type ExchangeEvent =
  /**
   * Sent after an exchange has ended, with its cost if known. The order can differ from the order in which exchanges
   * end.
   */
  | { readonly type: 'exchange'; readonly record: ExchangeRecord }
  /** The IDs of exchanges that can now be read from the ledger. */
  | { readonly type: 'entered'; readonly ids: readonly string[] }
  /** Something that the user should know or decide about a session. */
  | { readonly type: 'session'; readonly notice: SessionNotice };

export type GatewayMessage =
  | RunningMessage
  | TrafficReply
  | CancelCallMessage
  /** Sent again when another window takes over, or this one does. */
  | {
      readonly type: 'listening';
      readonly address: string;
      readonly port: number;
      /** The window whose worker has bound the port. */
      readonly owner: 'self' | 'other';
    }
  /** `code` is the code of the operating system's error, such as `EADDRINUSE`, if there is one. */
  | { readonly type: 'failed'; readonly code?: string; readonly message: string }
  /** The gateway was stopped in this or another window. Has a `problem` if no window could take over. */
  | { readonly type: 'closed'; readonly problem?: string }
  /** The local keys after a change in another window. */
  | { readonly type: 'localKeys'; readonly localKeys: ListenCommand['localKeys'] }
  | ExchangeEvent
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };
