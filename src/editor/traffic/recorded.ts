import { parseJson } from '../../formats/json.ts';
import type { CapturedBody, TrafficDetails } from '../../gateway/traffic/protocol.ts';
import type { TrafficRow } from '../../pages/traffic/protocol.ts';
import { eventsOf } from '../../pages/traffic/shownBody.ts';
import { detailsOf } from './ownCalls.ts';
import type { TrafficServices } from './trafficServices.ts';

/** Everything that is known about an exchange. */
export interface Recorded {
  readonly row: TrafficRow;
  readonly details?: TrafficDetails;
  /** The caller's bodies, if they were captured. */
  readonly request?: CapturedBody;
  readonly answer?: CapturedBody;
}

type RecordSources = Pick<TrafficServices, 'worker' | 'calls'>;

/** Reads the details of an exchange beyond its row, from this window or from the gateway's worker. */
export async function readDetails({ worker, calls }: RecordSources, id: string): Promise<TrafficDetails | undefined> {
  const call = calls.find(id);
  return call === undefined ? worker.rpc.askTraffic({ kind: 'details', id }) : detailsOf(call);
}

export async function readRecorded(sources: RecordSources, row: TrafficRow): Promise<Recorded> {
  const { id } = row;
  const { worker } = sources;
  const [details, request, answer] = await Promise.all([
    readDetails(sources, id),
    worker.rpc.askTraffic({ kind: 'body', id, part: 'request' }),
    worker.rpc.askTraffic({ kind: 'body', id, part: 'answer' }),
  ]);
  return { row, ...(details && { details }), ...(request && { request }), ...(answer && { answer }) };
}

export function textOf(body: CapturedBody): string {
  return body.pieces.map(([, text]) => text).join('');
}

/** Returns the JSON of a request if it was captured completely. */
export function jsonOf(body: CapturedBody | undefined): unknown {
  if (body === undefined || !body.isReadable || body.keptBytes < body.bytes) return undefined;
  return parseJson(textOf(body));
}

/** Headers that apply only to one day or one connection. */
const FLEETING = new Set(['date', 'content-length', 'connection', 'transfer-encoding', 'request-id', 'x-request-id']);

/**
 * An exchange in a form that a test can replay: the request, and the answer as a whole or event by event, with the
 * milliseconds between the events.
 */
export function fixtureOf({ row, details, request, answer }: Recorded): object {
  const events = answer === undefined ? [] : eventsOf(answer.pieces);
  return {
    format: row.callerFormat,
    endpoint: row.endpoint,
    request: jsonOf(request) ?? null,
    answer: {
      status: row.status ?? null,
      headers: Object.fromEntries((details?.answerHeaders ?? []).filter(([name]) => !FLEETING.has(name))),
      ...(events.length > 0
        ? {
            events: events.map(({ atMs, name, data }, nth) => ({
              afterMs: Math.round(atMs - (events[nth - 1]?.atMs ?? atMs)),
              event: name,
              data,
            })),
          }
        : { body: jsonOf(answer) ?? (answer === undefined ? null : textOf(answer)) }),
    },
  };
}
