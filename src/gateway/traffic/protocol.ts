/** Queries of the editor about the gateway's exchanges, and their answers. All of them are JSON. */
import type { FormatName } from '../../formats/conversation.ts';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { HealthProblem } from '../core/healthProblem.ts';
import type { LimitName, QueueState } from '../core/keyLimits.ts';
import type { ListedRefusal } from '../core/listedRefusal.ts';
import type { CappedSessionState, SessionDecision } from '../core/sessionNotice.ts';
import type { BranchReport } from '../core/windowBranches.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A running exchange. `durationMs` is the time until now, and other members can still change. */
export interface RunningExchange
  extends Omit<ExchangeRecord, 'end' | 'cost' | 'userAgent' | 'traceParent' | 'repository' | 'branch'> {
  /** The client program, as in the ledger. */
  readonly client?: string;
  /** The limit of the key for which the request waits in the queue. Undefined once it was sent. */
  readonly waitsFor?: LimitName;
}

/** A running request that the editor of some window sends itself, without the gateway. */
export type RunningCall = Omit<LedgerEntry, 'end' | 'prices'>;

/** In chronological order. The two in the middle exist if the request was translated. */
export const BODY_PARTS = ['request', 'upstreamRequest', 'upstreamAnswer', 'answer'] as const;

export type BodyPart = (typeof BODY_PARTS)[number];

export type TrafficQuestion =
  | { readonly kind: 'details'; readonly id: string }
  | { readonly kind: 'body'; readonly id: string; readonly part: BodyPart }
  /** Which of these exchanges have a completely captured request, so that it can be sent again. */
  | { readonly kind: 'captured'; readonly ids: readonly string[] }
  /** Ends the exchange if it is running. */
  | { readonly kind: 'cancel'; readonly id: string }
  | { readonly kind: 'deleteBodies' }
  /** The queues of local keys with limits. */
  | { readonly kind: 'queues' }
  /** Why requests currently avoid some upstreams. */
  | { readonly kind: 'health' }
  /** What the upstreams refuse, as far as it is known. */
  | { readonly kind: 'refusals' }
  /** Forgets it, so that it is tried again. */
  | { readonly kind: 'forgetRefusals'; readonly ids: readonly string[] }
  /** The names of files and commands by their hashes in the ledger, as far as the gateway remembers them. */
  | { readonly kind: 'fileNames'; readonly hashes: readonly string[] }
  /** The sessions of keys with a session cap. */
  | { readonly kind: 'cappedSessions' }
  /** The user's decision about a session that has reached its cap. */
  | { readonly kind: 'decideSession'; readonly sessionId: string; readonly decision: SessionDecision };

export type TrafficAnswer =
  | { readonly kind: 'details'; readonly details: TrafficDetails | undefined }
  /** Undefined if the body was not captured or was deleted. */
  | { readonly kind: 'body'; readonly body: CapturedBody | undefined }
  | { readonly kind: 'captured'; readonly ids: readonly string[] }
  | { readonly kind: 'queues'; readonly queues: readonly QueueState[] }
  | { readonly kind: 'health'; readonly problems: readonly HealthProblem[] }
  | { readonly kind: 'refusals'; readonly refusals: readonly ListedRefusal[] }
  | { readonly kind: 'fileNames'; readonly names: Readonly<Record<string, string>> }
  | { readonly kind: 'cappedSessions'; readonly sessions: readonly CappedSessionState[] }
  | { readonly kind: 'done' }
  /** A message for the user. */
  | { readonly kind: 'problem'; readonly problem: string };

/** A request to one of the upstreams. There are several if the first could not answer. */
export interface RecentAttempt {
  readonly upstream: string;
  /** Milliseconds since the start of the exchange. */
  readonly atMs: number;
}

/** What is remembered of a recent exchange beside its record. Contains no keys, and nothing of the content. */
export interface TrafficDetails {
  readonly id: string;
  /** Undefined while the exchange is running. For requests of the editor itself, the answer's bytes are not counted. */
  readonly record?: Omit<ExchangeRecord, 'bytesOut'> & Partial<Pick<ExchangeRecord, 'bytesOut'>>;
  readonly callerFormat: FormatName;
  /** The client's headers, without those that contain credentials. */
  readonly requestHeaders?: HeaderList;
  /** The headers that the client received. */
  readonly answerHeaders?: HeaderList;
  readonly attempts: readonly RecentAttempt[];
  /** Why the gateway refused the request or the answer was cut off. */
  readonly problem?: string;
  /** The captured bodies. */
  readonly bodies: readonly BodySummary[];
}

export interface BodySummary {
  readonly part: BodyPart;
  /** Size of the whole body, and of the part that was kept. */
  readonly bytes: number;
  readonly keptBytes: number;
}

/** A body as text, decompressed and with keys masked, in the pieces in which it arrived. */
export interface CapturedBody extends BodySummary {
  /** Milliseconds since the start of the exchange. */
  readonly pieces: readonly (readonly [atMs: number, text: string])[];
  /** False if the body's compression is not supported or invalid. In that case, there are no pieces. */
  readonly isReadable: boolean;
}

/** Commands about the gateway's exchanges, independently of the window in which it runs. */
export type TrafficCommand =
  /** Switches {@link RunningMessage} on and off. */
  | { readonly type: 'watchTraffic'; readonly isOn: boolean }
  /** Answered by `trafficAnswer`. */
  | { readonly type: 'askTraffic'; readonly requestId: number; readonly question: TrafficQuestion }
  /** All of this window's own running requests. Sent when one starts, is answered, or ends. */
  | CallsMessage
  | BranchMessage
  /** The user has granted trust to this window's folder. */
  | { readonly type: 'grantTrust' };

/** What this window works on. Sent when the gateway runs, and after each change. */
export interface BranchMessage extends BranchReport {
  readonly type: 'reportBranch';
}

export interface CallsMessage {
  readonly type: 'reportCalls';
  readonly calls: readonly RunningCall[];
}

/** The running requests. Sent repeatedly while there are any, and once when there are none anymore. */
export interface RunningMessage {
  readonly type: 'running';
  readonly exchanges: readonly RunningExchange[];
  /** The editors' own requests, in all windows that share the gateway. */
  readonly calls: readonly RunningCall[];
}

/** The user has ended this window's request in another window. */
export interface CancelCallMessage {
  readonly type: 'cancelCall';
  readonly id: string;
}

export interface TrafficReply {
  readonly type: 'trafficAnswer';
  readonly requestId: number;
  readonly answer: TrafficAnswer;
}
