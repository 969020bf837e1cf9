import type { Outcome } from './exchange.ts';
import type { ExchangeFilter } from './exchangeFilter.ts';

/** The user's choice of the exchanges that the Traffic tab lists. */
export interface TrafficChoice
  extends Pick<
    ExchangeFilter,
    'model' | 'client' | 'localKeyId' | 'source' | 'conversationId' | 'sessionId' | 'from' | 'to'
  > {
  readonly text?: string;
  readonly outcome?: Outcome | 'running';
  /** Shows the requests as a tree of sessions. Undefined for a list. */
  readonly view?: 'sessions';
}

/** What other views and commands ask the tab to show. */
export interface TrafficTarget extends TrafficChoice {
  /** The ID of an exchange to open in the list. */
  readonly exchange?: string;
}
