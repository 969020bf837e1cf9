/**
 * The messages between the Traffic view and its host. They never contain keys, and contain texts only if the page
 * requests a captured body.
 */

import type { FormatName } from '../../formats/conversation.ts';
import type { LimitName } from '../../gateway/core/keyLimits.ts';
import type { BodyPart, BodySummary, TrafficDetails } from '../../gateway/traffic/protocol.ts';
import type { ExchangeNames, ExchangeRow, SessionPage } from '../../ledger/exchangeQuery.ts';
import type { BilledContext } from '../../rules/contextPart.ts';
import type { TrafficChoice } from '../../rules/trafficChoice.ts';

export type { BodyPart, BodySummary, HeaderList, TrafficDetails } from '../../gateway/traffic/protocol.ts';
export type { SessionPage } from '../../ledger/exchangeQuery.ts';
export type { SessionSums } from '../../ledger/sessionUsage.ts';
export type { TrafficChoice } from '../../rules/trafficChoice.ts';
export type { CostKind, CostLine } from '../../tokens/price.ts';

/** A row of the list: an exchange of the ledger, or one that is running or has just ended. */
export interface TrafficRow extends Omit<ExchangeRow, 'number' | 'end'> {
  /** The number of its entry in the ledger. Undefined until it is entered. */
  readonly number?: number;
  /** Undefined while it runs; `durationMs` is then the time until now. */
  readonly end?: ExchangeRow['end'];
  /** The limit of its key for which it waits in the queue. Undefined after it was sent. */
  readonly waitsFor?: LimitName;
}

export interface ViewContext extends ExchangeNames {
  /** Names of the local keys by ID. */
  readonly keyNames: Readonly<Record<string, string>>;
  readonly gateway: 'off' | 'starting' | 'running' | 'failed';
  /** The base address while the gateway runs. */
  readonly address?: string;
  readonly capturesBodies: boolean;
  readonly isTrusted: boolean;
}

/** One event of a stream. */
export interface ShownEvent {
  /** In milliseconds from the start of the exchange. */
  readonly atMs: number;
  readonly name?: string;
  readonly data: string;
}

/** A step of an answer, independent of the wire format. */
export interface AnswerStep {
  readonly atMs: number;
  readonly kind: 'reasoning' | 'text' | 'refusal' | 'toolCall' | 'finish' | 'error';
  /** The tool's name, or the finish reason. */
  readonly name?: string;
}

/** A captured body: the text of a complete one, or the events of a stream. */
export interface ShownBody extends BodySummary {
  readonly isReadable: boolean;
  readonly format?: FormatName;
  readonly text?: string;
  readonly events?: readonly ShownEvent[];
  readonly steps?: readonly AnswerStep[];
}

export type TrafficHostMessage =
  /** Starts a new list. */
  | {
      readonly type: 'list';
      readonly choice: TrafficChoice;
      readonly rows: readonly TrafficRow[];
      readonly hasMore: boolean;
      readonly exchanges: number;
      readonly cost: number;
      /** The sandbox's sample money in US dollars, which `cost` does not include. */
      readonly sampleCost: number;
      /** The ID of an exchange to open when it is listed. */
      readonly opened?: string;
      /** Why the ledger could not be read. */
      readonly problem?: string;
    }
  | { readonly type: 'older'; readonly rows: readonly TrafficRow[]; readonly hasMore: boolean }
  | {
      readonly type: 'newer';
      readonly rows: readonly TrafficRow[];
      readonly exchanges: number;
      readonly cost: number;
      readonly sampleCost: number;
    }
  /** The latest sessions that match the choice, posted whenever their sums change. */
  | (SessionPage & {
      readonly type: 'sessions';
      /** Titles of chats by ID. */
      readonly titles: Readonly<Record<string, string>>;
    })
  /** The requests of one session, the latest first. */
  | {
      readonly type: 'sessionRequests';
      readonly sessionId: string;
      readonly rows: readonly TrafficRow[];
      /** Whether there are older ones. */
      readonly hasMore: boolean;
    }
  /** All exchanges that are running, or have ended but are not entered yet. */
  | { readonly type: 'live'; readonly rows: readonly TrafficRow[] }
  /** Captured bodies are no longer available. */
  | { readonly type: 'bodiesDeleted' }
  | { readonly type: 'viewContext'; readonly viewContext: ViewContext }
  /** Undefined if only the row is stored. */
  | { readonly type: 'details'; readonly id: string; readonly details?: TrafficDetails }
  /** What a request consists of. Undefined if it was not measured. */
  | { readonly type: 'context'; readonly id: string; readonly context?: BilledContext }
  | { readonly type: 'body'; readonly id: string; readonly part: BodyPart; readonly body?: ShownBody };

/** The actions on one exchange. */
export type ExchangeAction = 'copyAs' | 'resend' | 'saveHar' | 'saveFixture' | 'cancel';

/** The state that the page keeps while it is hidden. */
export interface KeptTraffic {
  readonly choice: TrafficChoice;
  /** The ID of the exchange whose details are open. */
  readonly opened?: string;
}
