/** The messages between the page of a session and its host. They contain no texts of the session. */
import type { CacheMissReason } from '../../rules/cacheMiss.ts';
import type { ExchangeEnd } from '../../rules/exchange.ts';
import type { ContextState } from './context/protocol.ts';

/** Sums over several requests. Counts are tokens; amounts are in US dollars. */
export interface SessionFigures {
  readonly requests: number;
  /** The three parts of the input. */
  readonly uncached: number;
  readonly read: number;
  readonly written: number;
  /** The part of `written` that is cached for an hour or longer. */
  readonly longWritten: number;
  readonly output: number;
  /** How long the client's tools ran, in milliseconds, if the client reports it. */
  readonly toolMs: number;
  /** The cost of the requests whose price is known. */
  readonly cost: number;
  /** The part of the cost that is due to subagents. */
  readonly subagentCost: number;
  /** The savings from cache reads minus the additional cost of cache writes. */
  readonly saved: number;
  readonly avoidable: number;
}

/** A question of the user with all requests that it caused, including those of subagents. */
export interface SessionTurn extends SessionFigures {
  /** Counted from 1. */
  readonly number: number;
  /** In milliseconds since the epoch: the start of its first request, and the end of its last one. */
  readonly from: number;
  readonly to: number;
  /** The input of the main agent's last request, as a measure of how full the context was. */
  readonly context: number;
  readonly misses: readonly CacheMissReason[];
}

/** All avoidable misses for one reason. */
export interface SessionMisses {
  readonly reason: CacheMissReason;
  /** The numbers of their turns, without duplicates. */
  readonly turns: readonly number[];
  /** The names of the tools or settings that changed, without duplicates, as far as the gateway remembers them. */
  readonly changed: readonly string[];
  readonly count: number;
  readonly tokens: number;
  /** In US dollars. */
  readonly cost: number;
}

/** The cost of the session on another model, with the same tokens. */
export interface WhatIf {
  readonly model: string;
  /** In US dollars, for the whole session, with subagents as charged. */
  readonly low: number;
  readonly high: number;
  /** The additional cost in US dollars if the next request switched to this model, whose cache is empty. */
  readonly switchCost: number;
  /** The model's context window, if the session does not fit into it. */
  readonly tooSmall?: number;
}

/** The session cap of the local key, and what the session has used of it. Amounts are in US dollars. */
export interface SessionCap {
  /** The cap that applies to this session. Undefined if the key has none. */
  readonly cap?: number;
  /** What the key allows for each session. */
  readonly step: number;
  readonly spent: number;
  /** Whether the gateway knows the session, so that its cap can be raised. It knows those with a request since it started. */
  readonly isKnown: boolean;
  /** Whether a request waits for the user's answer, or was refused without one. */
  readonly isWaiting: boolean;
  readonly isEnded: boolean;
}

export interface SessionState {
  readonly sessionId: string;
  /** The chat's title, or the tool and the session's start. */
  readonly name: string;
  readonly isRunning: boolean;
  /** The end of the latest request. */
  readonly end?: ExchangeEnd;
  /** The most expensive first. */
  readonly models: readonly string[];
  /** The name of the local key. */
  readonly keyName?: string;
  /** Undefined for sessions of the editor. */
  readonly cap?: SessionCap;
  /** The number of subagents, without the main agent. */
  readonly subagents: number;
  /** The client's names for the kinds of its subagents, by their start. Empty if it names none. */
  readonly agentTypes: readonly string[];
  /**
   * How many secrets were replaced in the request that had most of them: each request repeats those of the earlier ones.
   */
  readonly sealed: number;
  readonly totals: SessionFigures;
  readonly turns: readonly SessionTurn[];
  readonly misses: readonly SessionMisses[];
  /** The most expensive first. */
  readonly whatIf: readonly WhatIf[];
  /** The context window of the model in the main agent's latest request, in tokens. */
  readonly contextWindow?: number;
  /**
   * The number of requests without a known price and with estimated tokens, and whether the cost is the sandbox's
   * sample money.
   */
  readonly unpriced: number;
  readonly estimated: number;
  readonly isSample: boolean;
  /** Whether older requests are not included. */
  readonly isCut: boolean;
}

export type SessionHostMessage =
  | { readonly type: 'session'; readonly state: SessionState }
  /** Follows the session, whose requests it describes. */
  | { readonly type: 'context'; readonly context: ContextState }
  /** Posted if the ledger could not be read, or no longer contains requests of the session. */
  | { readonly type: 'problem'; readonly problem: string };
