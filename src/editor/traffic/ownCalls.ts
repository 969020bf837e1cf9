/** The calls of this window, shown like exchanges of the gateway. */

import type { TrafficDetails, TrafficRow } from '../../pages/traffic/protocol.ts';
import { shownHeaders } from '../../service/shownHeaders.ts';
import type { CallWatch } from '../calls/callWatch.ts';

/** The row of a call in progress. */
export function runningRow(call: CallWatch): TrafficRow {
  const { end: _, prices: __, ...row } = call.entry();
  return row;
}

/** The headers do not include the key, and bodies are not captured. */
export function detailsOf(call: CallWatch): TrafficDetails {
  const { isOver, request, answerHeaders, attempts, problem } = call.head;
  const { id, at, callerFormat = 'chat-completions', durationMs, end } = call.entry();
  return {
    id,
    callerFormat,
    ...(isOver && { record: { id, at, callerFormat, durationMs, bytesIn: request?.length ?? 0, end } }),
    ...(request !== undefined && { requestHeaders: shownHeaders(request.headers) }),
    ...(answerHeaders !== undefined && { answerHeaders: shownHeaders(Object.fromEntries(answerHeaders)) }),
    attempts,
    ...(problem !== undefined && { problem }),
    bodies: [],
  };
}
