/** What the editor asks about the exchanges of the gateway, and what it is told. All of it is JSON. */
import type { FormatName } from '../../formats/conversation.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { LimitName } from '../core/keyLimits.ts';
import type { LedgerEntry } from '../core/ledgerEntry.ts';
import type { SessionDecision } from '../core/sessionNotice.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** An exchange under way: `durationMs` is the time until now, and the rest may still change. */
export interface RunningExchange extends Omit<ExchangeRecord, 'end' | 'cost' | 'userAgent' | 'traceParent'> {
  /** The program that asks, as in the ledger. */
  readonly client?: string;
  /** The limit of its key for which it waits in the queue; absent once it was sent. */
  readonly waitsFor?: LimitName;
}

/** A call of the editor itself that goes on in some window, past the gateway. */
export type RunningCall = Omit<LedgerEntry, 'end' | 'prices'>;

/** In the order in which they come about; the ones in the middle exist where a request was translated. */
export const BODY_PARTS = ['request', 'upstreamRequest', 'upstreamAnswer', 'answer'] as const;

export type BodyPart = (typeof BODY_PARTS)[number];

export type TrafficQuestion =
  | { readonly kind: 'details'; readonly id: string }
  | { readonly kind: 'body'; readonly id: string; readonly part: BodyPart }
  /** Ends the exchange, if it still runs. */
  | { readonly kind: 'cancel'; readonly id: string }
  | { readonly kind: 'deleteBodies' }
  /** What a person has decided about a session at its cap. */
  | { readonly kind: 'decideSession'; readonly sessionId: string; readonly decision: SessionDecision };

export type TrafficAnswer =
  | { readonly kind: 'details'; readonly details: TrafficDetails | undefined }
  /** Absent when it was not captured, or is gone. */
  | { readonly kind: 'body'; readonly body: CapturedBody | undefined }
  | { readonly kind: 'done' }
  /** In words for a person. */
  | { readonly kind: 'problem'; readonly problem: string };

/** One question to one of the upstreams; several where the first could not answer. */
export interface Attempt {
  readonly upstream: string;
  /** Milliseconds from the beginning of the exchange. */
  readonly atMs: number;
}

/** What is remembered of a recent exchange beside its record. No key, and nothing of what was said. */
export interface TrafficDetails {
  readonly id: string;
  /** Absent while it runs. Of a call of the editor itself nobody counts the bytes of the answer. */
  readonly record?: Omit<ExchangeRecord, 'bytesOut'> & Partial<Pick<ExchangeRecord, 'bytesOut'>>;
  readonly callerFormat: FormatName;
  /** The client's, without those that carry credentials. */
  readonly requestHeaders?: HeaderList;
  /** As the client got them. */
  readonly answerHeaders?: HeaderList;
  readonly attempts: readonly Attempt[];
  /** Why the gateway itself said no, or that the answer broke off. */
  readonly problem?: string;
  /** Those that were captured. */
  readonly bodies: readonly BodySummary[];
}

export interface BodySummary {
  readonly part: BodyPart;
  /** Of the whole body, and of what was kept of it. */
  readonly bytes: number;
  readonly keptBytes: number;
}

/** A body as text, decompressed and with keys masked, in the pieces in which it passed. */
export interface CapturedBody extends BodySummary {
  /** Milliseconds from the beginning of the exchange. */
  readonly pieces: readonly (readonly [atMs: number, text: string])[];
  /** False when it was compressed in a way that could not be decompressed; then there are no pieces. */
  readonly isReadable: boolean;
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
  readonly type: 'reportCalls';
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
