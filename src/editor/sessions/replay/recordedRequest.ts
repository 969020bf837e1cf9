import { FormatError } from '../../../formats/apiError.ts';
import type { ChatRequest, FormatName } from '../../../formats/conversation.ts';
import { wireFormats } from '../../../formats/index.ts';
import { isRecord, type JsonObject } from '../../../formats/json.ts';
import type { Usage } from '../../../formats/usage.ts';
import { ENDPOINT_PATHS } from '../../../formats/wireFormat.ts';
import type { ExchangeRow } from '../../../ledger/exchangeQuery.ts';
import { type ReplayContent, readAnswer } from '../../../pages/session/replay/readAnswer.ts';
import { isMain, turnsOf } from '../../../pages/session/sessionReport.ts';
import { MIN_FAILED_STATUS } from '../../../rules/exchange.ts';
import { jsonOf, readRecorded, textOf } from '../../traffic/recorded.ts';
import type { SessionServices } from '../sessionServices.ts';

/** A request that was answered and can be sent again. */
export interface ReplayableRow extends ExchangeRow {
  readonly usage: Usage;
  readonly callerFormat: FormatName;
  /** The number of its turn in the session. */
  readonly turn: number;
}

/** A captured request of a session. */
export interface RecordedRequest {
  readonly row: ReplayableRow;
  readonly body: JsonObject;
  /** The client's headers on which the meaning of the body depends. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the text that it added to the conversation, and the number of results of tools. */
  readonly question: string;
  readonly results: number;
  /** Undefined if it was not captured. */
  readonly answer?: ReplayContent;
}

/** Versions and extensions of a vendor's format. */
const FORMAT_HEADERS: ReadonlySet<string> = new Set(['anthropic-version', 'anthropic-beta', 'openai-beta']);
const MAX_QUESTION_LENGTH = 200;

/**
 * Returns the requests of the main agent that could be sent again if they were captured: those with an answer.
 * @param rows All requests of the session.
 */
export function replayableRows(rows: readonly ExchangeRow[]): readonly ReplayableRow[] {
  return turnsOf(rows).flatMap((ofTurn, index) => ofTurn.flatMap((row) => replayable(row, index + 1) ?? []));
}

function replayable(row: ExchangeRow, turn: number): ReplayableRow | undefined {
  const { usage, callerFormat, status = MIN_FAILED_STATUS, endpoint, source } = row;
  if (source !== 'gateway' || !isMain(row) || usage === undefined || callerFormat === undefined) return undefined;
  if (status >= MIN_FAILED_STATUS || endpoint !== ENDPOINT_PATHS[callerFormat]) return undefined;
  return { ...row, usage, callerFormat, turn };
}

/** Reads captured requests. Those whose bodies were deleted meanwhile are omitted. */
export async function readRequests(
  rows: readonly ReplayableRow[],
  services: Pick<SessionServices, 'worker' | 'calls'>,
): Promise<readonly RecordedRequest[]> {
  const read = await Promise.all(rows.map((row) => readRequest(row, services)));
  return read.filter((request) => request !== undefined);
}

async function readRequest(
  row: ReplayableRow,
  services: Pick<SessionServices, 'worker' | 'calls'>,
): Promise<RecordedRequest | undefined> {
  const { request, answer, details } = await readRecorded(services, row);
  const body = jsonOf(request);
  if (!isRecord(body)) return undefined;
  const format = wireFormats[row.callerFormat];
  const headers = (details?.requestHeaders ?? []).filter(([name]) => FORMAT_HEADERS.has(name));
  return {
    row,
    body: body as JsonObject,
    headers: Object.fromEntries(headers),
    ...addedBy(body, row.callerFormat),
    ...(answer?.isReadable === true && { answer: readAnswer(textOf(answer), format) }),
  };
}

/** Returns what the last message of a request contains. */
function addedBy(body: unknown, name: FormatName): Pick<RecordedRequest, 'question' | 'results'> {
  const messages = decoded(body, name)?.messages ?? [];
  const last = messages.at(-1);
  const results = messages.findLast(({ role }) => role !== 'user');
  const texts = last?.role === 'user' ? last.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [];
  return {
    question: (texts.at(-1) ?? '').trim().slice(0, MAX_QUESTION_LENGTH),
    results: results?.role === 'tool' ? results.parts.length : 0,
  };
}

function decoded(body: unknown, name: FormatName): ChatRequest | undefined {
  try {
    return wireFormats[name].decodeRequest(body);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return undefined;
  }
}
