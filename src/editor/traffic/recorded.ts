import type { CapturedBody, TrafficDetails } from '../../gateway/traffic/protocol.ts';
import type { GatewayWorker } from '../gateway/gatewayWorker.ts';
import type { TrafficRow } from './protocol.ts';

/** All that is known of an exchange. */
export interface Recorded {
  readonly row: TrafficRow;
  readonly details?: TrafficDetails;
  /** The caller's side, where it was captured. */
  readonly request?: CapturedBody;
  readonly answer?: CapturedBody;
}

export async function readRecorded(worker: GatewayWorker, row: TrafficRow): Promise<Recorded> {
  const { id } = row;
  const [details, request, answer] = await Promise.all([
    worker.traffic.ask({ kind: 'details', id }),
    worker.traffic.ask({ kind: 'body', id, part: 'request' }),
    worker.traffic.ask({ kind: 'body', id, part: 'answer' }),
  ]);
  return { row, ...(details && { details }), ...(request && { request }), ...(answer && { answer }) };
}

export function textOf(body: CapturedBody): string {
  return body.pieces.map(([, text]) => text).join('');
}

/** The JSON of a request, when all of it was captured. */
export function jsonOf(body: CapturedBody | undefined): unknown {
  if (body === undefined || !body.isReadable || body.keptBytes < body.bytes) return undefined;
  try {
    return JSON.parse(textOf(body));
  } catch {
    return undefined;
  }
}
