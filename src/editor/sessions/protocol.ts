/** What the page of one session and its host say to each other. Nothing of what was said in the session crosses here. */
import type { CacheMissReason } from '../../rules/cacheMiss.ts';
import type { ExchangeEnd } from '../../rules/exchange.ts';
import type { PageReady, PageTransport } from '../webviews/protocol.ts';

/** Figures of some requests. Tokens; amounts are US dollars. */
export interface SessionFigures {
  readonly requests: number;
  /** The three parts of the input. */
  readonly uncached: number;
  readonly read: number;
  readonly written: number;
  /** The part of `written` that is cached for an hour or longer. */
  readonly longWritten: number;
  readonly output: number;
  /** Of the requests whose price is known. */
  readonly cost: number;
  /** The part of the cost that subagents caused. */
  readonly subagentCost: number;
  /** What reading from the cache saved, less what writing to it cost more. */
  readonly saved: number;
  readonly avoidable: number;
}

/** A question of the user with all requests that it led to, those of subagents too. */
export interface SessionTurn extends SessionFigures {
  /** Counts from 1. */
  readonly number: number;
  /** Milliseconds since the epoch: the start of its first request, and the end of its last one. */
  readonly from: number;
  readonly to: number;
  /** The input of the last request of the main agent: how full the context was. */
  readonly context: number;
  readonly misses: readonly CacheMissReason[];
}

/** All avoidable misses for one reason. */
export interface SessionMisses {
  readonly reason: CacheMissReason;
  /** The numbers of their turns, each once. */
  readonly turns: readonly number[];
  readonly count: number;
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/** What the session would have cost on another model, with the same tokens. */
export interface WhatIf {
  readonly model: string;
  /** US dollars, of the whole session: subagents as charged. */
  readonly low: number;
  readonly high: number;
  /** US dollars once, if the next request went to it: nothing is in its cache. */
  readonly switchCost: number;
  /** Its context window, if the session does not fit. */
  readonly tooSmall?: number;
}

export interface SessionState {
  readonly sessionId: string;
  /** The chat's title, or the tool with the session's start. */
  readonly name: string;
  readonly isRunning: boolean;
  /** How the latest request ended. */
  readonly end?: ExchangeEnd;
  /** The most expensive first. */
  readonly models: readonly string[];
  /** The name of the local key. */
  readonly keyName?: string;
  /** Subagents, without the main one. */
  readonly subagents: number;
  readonly totals: SessionFigures;
  readonly turns: readonly SessionTurn[];
  readonly misses: readonly SessionMisses[];
  /** The most expensive first. */
  readonly whatIf: readonly WhatIf[];
  /** The context window of the model of the latest request of the main agent, in tokens. */
  readonly contextWindow?: number;
  /** Some requests have no known price, or estimated tokens; or the cost is sample money of the sandbox. */
  readonly unpriced: number;
  readonly estimated: number;
  readonly isSample: boolean;
  /** Older requests are not included. */
  readonly isCut: boolean;
}

export type SessionHostMessage =
  | { readonly type: 'session'; readonly state: SessionState }
  /** The ledger could not be read, or it has no request of the session any more. */
  | { readonly type: 'problem'; readonly problem: string };

export type SessionPageMessage =
  /** With the session that the page showed, when it was shown before. */
  | (PageReady & { readonly sessionId?: string })
  | { readonly type: 'openUsage' }
  /** A turn alone if it is given. Times are milliseconds since the epoch; `to` is exclusive. */
  | { readonly type: 'showInTraffic'; readonly from?: number; readonly to?: number }
  | { readonly type: 'export' };

export type SessionTransport = PageTransport<SessionHostMessage, SessionPageMessage, string>;
