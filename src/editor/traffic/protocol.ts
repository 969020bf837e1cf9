/**
 * What the traffic view and its host say to each other. No key crosses here, and what was said only when the page asks
 * for a body that was captured.
 */
import type { FormatName } from '../../formats/conversation.ts';
import type { LimitName } from '../../gateway/core/keyLimits.ts';
import type { ExchangeNames, ExchangeRow, SessionPage } from '../../gateway/ledger/exchangeQuery.ts';
import type { BodyPart, BodySummary, TrafficDetails } from '../../gateway/traffic/protocol.ts';
import type { Outcome } from '../../rules/exchange.ts';
import type { ExchangeFilter } from '../../rules/exchangeFilter.ts';
import type { PageReady, PageTransport } from '../webviews/protocol.ts';

export type { SessionPage } from '../../gateway/ledger/exchangeQuery.ts';
export type { SessionSums } from '../../gateway/ledger/usage.ts';
export type { BodyPart, BodySummary, HeaderList, TrafficDetails } from '../../gateway/traffic/protocol.ts';
export type { CostKind, CostLine } from '../../tokens/price.ts';

/** One line of the list: an exchange of the ledger, or one that runs or has just ended. */
export interface TrafficRow extends Omit<ExchangeRow, 'number' | 'end'> {
  /** Of its entry in the ledger; absent as long as it is not entered. */
  readonly number?: number;
  /** Absent while it runs; `durationMs` is then the time until now. */
  readonly end?: ExchangeRow['end'];
  /** The limit of its key for which it waits in the queue; absent once it was sent. */
  readonly waitsFor?: LimitName;
}

/** What a person has chosen to see. */
export interface TrafficChoice
  extends Pick<
    ExchangeFilter,
    'model' | 'client' | 'localKeyId' | 'source' | 'conversationId' | 'sessionId' | 'from' | 'to'
  > {
  readonly text?: string;
  readonly outcome?: Outcome | 'running';
  /** The requests as a tree of sessions; absent for a list. */
  readonly view?: 'sessions';
}

/** What the tab is asked to show from elsewhere. */
export interface TrafficTarget extends TrafficChoice {
  /** The id of an exchange that is opened in the list. */
  readonly exchange?: string;
}

export interface ViewContext extends ExchangeNames {
  /** Names of the local keys by their ids. */
  readonly keyNames: Readonly<Record<string, string>>;
  readonly gateway: 'off' | 'starting' | 'running' | 'failed';
  /** Base address, while it runs. */
  readonly address?: string;
  readonly capturesBodies: boolean;
  readonly isTrusted: boolean;
}

/** One event of a stream. */
export interface ShownEvent {
  /** Milliseconds from the beginning of the exchange. */
  readonly atMs: number;
  readonly name?: string;
  readonly data: string;
}

/** What an answer did, in the terms of no format. */
export interface AnswerStep {
  readonly atMs: number;
  readonly kind: 'reasoning' | 'text' | 'refusal' | 'toolCall' | 'finish' | 'error';
  /** Of the tool, or why it finished. */
  readonly name?: string;
}

/** A captured body: the text of a whole one, or the events of a stream. */
export interface ShownBody extends BodySummary {
  readonly isReadable: boolean;
  readonly format?: FormatName;
  readonly text?: string;
  readonly events?: readonly ShownEvent[];
  readonly steps?: readonly AnswerStep[];
}

export type TrafficHostMessage =
  /** The list begins anew. */
  | {
      readonly type: 'list';
      readonly choice: TrafficChoice;
      readonly rows: readonly TrafficRow[];
      readonly hasMore: boolean;
      readonly exchanges: number;
      readonly cost: number;
      /** Sample money of the sandbox, in US dollars; `cost` is without it. */
      readonly sampleCost: number;
      /** The id of an exchange to open as soon as it is listed. */
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
  /** The latest sessions of the choice, whenever their sums change. */
  | (SessionPage & {
      readonly type: 'sessions';
      /** Titles of chats by their ids. */
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
  /** What runs, or has ended and is not entered yet: all of it. */
  | { readonly type: 'live'; readonly rows: readonly TrafficRow[] }
  /** Nothing of what was captured can be had any more. */
  | { readonly type: 'bodiesDeleted' }
  | { readonly type: 'viewContext'; readonly viewContext: ViewContext }
  /** Absent when nothing but its line is remembered. */
  | { readonly type: 'details'; readonly id: string; readonly details?: TrafficDetails }
  | { readonly type: 'body'; readonly id: string; readonly part: BodyPart; readonly body?: ShownBody };

/** What can be done with one exchange. */
export type ExchangeAction = 'copyAs' | 'resend' | 'saveHar' | 'saveFixture' | 'cancel';

export type TrafficPageMessage =
  /** With what the page showed, when it was shown before. */
  | (PageReady & { readonly choice?: TrafficChoice })
  | { readonly type: 'choose'; readonly choice: TrafficChoice }
  /** The next page of older ones. */
  | { readonly type: 'more'; readonly before: { readonly at: number; readonly number: number } }
  | { readonly type: 'readSession'; readonly sessionId: string }
  | { readonly type: 'pause'; readonly isPaused: boolean }
  | { readonly type: 'readDetails'; readonly id: string }
  | { readonly type: 'readBody'; readonly id: string; readonly part: BodyPart }
  | { readonly type: 'act'; readonly action: ExchangeAction; readonly row: TrafficRow }
  | { readonly type: 'compare'; readonly rows: readonly [TrafficRow, TrafficRow] }
  | { readonly type: 'setCapture'; readonly isOn: boolean }
  | { readonly type: 'deleteBodies' }
  | { readonly type: 'startGateway' }
  | { readonly type: 'openSession'; readonly sessionId: string }
  | { readonly type: 'openUsage' }
  | { readonly type: 'openRoutes' };

/** What the page keeps while it is hidden. */
export interface KeptTraffic {
  readonly choice: TrafficChoice;
  /** Id of the exchange whose details are open. */
  readonly opened?: string;
}

export type TrafficTransport = PageTransport<TrafficHostMessage, TrafficPageMessage, KeptTraffic>;
