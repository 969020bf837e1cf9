/** Commands to start a gateway and to change its settings, independently of the window in which it runs. */

import type { ContextMeasuring } from '../../rules/contextPart.ts';
import type { SecretPolicy } from '../../rules/secretPolicy.ts';
import type { KnownSecret } from '../../secrets/secretTable.ts';
import type { SpendingLimits } from '../budgets/spendingLimits.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { SessionNotice } from '../core/sessionNotice.ts';
import type { IssuedKey, RevokedKeys } from '../keys/issuedKey.ts';
import type { SandboxSettings, UpstreamSettings } from '../routing/upstreams.ts';
import type { CancelCallMessage, RunningMessage, TrafficReply } from '../traffic/protocol.ts';

/** The local keys, as one window knows them. They are merged with what other windows know. */
export interface SharedKeys {
  /** Takes effect immediately: the running requests of keys that are revoked or rotated end. */
  readonly localKeys: readonly IssuedKey[];
  readonly revokedKeys?: RevokedKeys;
}

/** The settings of a running gateway, in whichever window it runs. They apply to new requests, and the port stays open. */
export interface GatewaySettings extends SharedKeys {
  readonly upstream: UpstreamSettings;
  readonly allowedOrigins?: readonly string[];
  readonly limits?: SpendingLimits;
  /** Whether bodies are kept in memory for the traffic view. */
  readonly captureBodies?: boolean;
  /** What happens to secrets in requests. */
  readonly secretPolicy?: SecretPolicy;
  /** Values that are secrets wherever they are. */
  readonly knownSecrets?: readonly KnownSecret[];
  /** Whether a session is ended when its agent repeats the same calls. */
  readonly endLoops?: boolean;
  /** Whether the ledger gets what the requests of sessions consist of. */
  readonly measureContext?: ContextMeasuring;
  /** Whether the ledger gets the repository and branch that a request is for, if known. */
  readonly recordRepositories?: boolean;
}

export interface ListenCommand extends GatewaySettings {
  readonly type: 'listen';
  /** 0 selects a free port. */
  readonly port: number;
  readonly allowedHosts?: readonly string[];
  /** Only applies to the first listener that uses the sandbox. */
  readonly sandbox?: SandboxSettings;
  /** Path of the ledger, which is created if it does not exist. If it cannot be written, a `log` reports the reason. */
  readonly ledger?: string;
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

/** Changes settings of the gateway for all windows. Only failures are answered. */
export interface ChangeCommand {
  readonly type: 'change';
  readonly settings: Partial<GatewaySettings>;
}

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
  | ({ readonly type: 'localKeys' } & SharedKeys)
  | ExchangeEvent
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };
