/** The editor's own calls, as the exchanges of the gateway are shown. Of this window alone: nobody tells of the others. */
import type { LedgerEntry } from '../../gateway/core/ledgerEntry.ts';
import { shownHeaders } from '../../service/shownHeaders.ts';
import { costLines } from '../../tokens/price.ts';
import type { CallWatch } from '../calls/callWatch.ts';
import type { TrafficDetails, TrafficRow } from './protocol.ts';

/** The line of a call that goes on. */
export function runningRow(call: CallWatch): TrafficRow {
  const { end: _, ...row } = rowOf(call.entry());
  return row;
}

/** The line of one that is over, until the ledger has it. */
export function rowOf({ callerFormat, upstreamFormat, prices, cost: _, ...facts }: LedgerEntry): TrafficRow {
  const bill = facts.usage && prices && costLines(facts.usage, prices);
  return {
    ...facts,
    ...(bill !== undefined && { bill, cost: bill.reduce((sum, line) => sum + line.cost, 0) }),
    ...(callerFormat !== undefined && { format: callerFormat }),
    ...(upstreamFormat !== undefined && { upstreamFormat: upstreamFormat }),
  };
}

/** The key is not among the headers, and bodies are not captured. */
export function detailsOf(call: CallWatch): TrafficDetails {
  const { isOver, request, answerHeaders, attempts, problem } = call.head;
  const { id, at, callerFormat: format = 'chat-completions', durationMs, end } = call.entry();
  return {
    id,
    format,
    ...(isOver && { record: { id, at, format, durationMs, bytesIn: request?.length ?? 0, end } }),
    ...(request !== undefined && { requestHeaders: shownHeaders(request.headers) }),
    ...(answerHeaders !== undefined && { answerHeaders: shownHeaders(Object.fromEntries(answerHeaders)) }),
    attempts,
    ...(problem !== undefined && { problem }),
    bodies: [],
  };
}
