/** Answers that come as one JSON body. */
import * as l10n from '@vscode/l10n';
import { responseEvents } from '../formats/answer.ts';
import { FormatError } from '../formats/apiError.ts';
import type { ChatResponse } from '../formats/conversation.ts';
import type { StreamItem, WireFormat } from '../formats/wireFormat.ts';
import { excerptOfPage, isErrorBody, looksLikePage } from './errorBody.ts';
import { parseJson } from './json.ts';
import { ServiceError } from './serviceError.ts';
import type { OpenAnswer } from './transport.ts';

/**
 * The body of a success as JSON.
 * @throws {ServiceError} when the body is an error in spite of its status, is not JSON, or breaks off.
 */
export async function readJson(answer: OpenAnswer): Promise<unknown> {
  const text = await readWhole(answer);
  const body = parseJson(text);
  if (isErrorBody(body)) throw ServiceError.fromResponse(answer.response.status, answer.response.headers, text);
  if (body === undefined) throw notJson(text, answer);
  return body;
}

/**
 * An answer of the format, checked but otherwise as it came.
 * @throws {ServiceError} as above, and of kind `malformed` naming the field that does not fit.
 */
export async function readAnswer<Response>(
  answer: OpenAnswer,
  format: WireFormat<unknown, Response>,
): Promise<Response> {
  const body = await readJson(answer);
  decode(body, format, answer);
  return body as Response;
}

/** The events that a stream would have had, from a service that answers a request for a stream in one piece. */
export async function readAnswerAsItems<Event>(
  answer: OpenAnswer,
  format: WireFormat<unknown, unknown, Event>,
  request: unknown,
): Promise<StreamItem<Event>[]> {
  const response = decode(await readJson(answer), format, answer);
  const encoder = format.createStreamEncoder({
    request: format.decodeRequest(request),
    now: response.createdAt ?? Math.floor(Date.now() / 1000),
  });
  const events = [...responseEvents(response)].flatMap((event) => encoder.push(event));
  return [...events, ...encoder.end()].map((event) => format.parseEvent(event));
}

async function readWhole({ response, control, host }: OpenAnswer): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    control.signal.throwIfAborted();
    const message = l10n.t('The connection to {0} broke while the answer was coming.', host);
    throw new ServiceError({ kind: 'network', message }, { cause: error });
  } finally {
    control.close();
  }
}

function decode(body: unknown, format: WireFormat, { response: { status }, requestId }: OpenAnswer): ChatResponse {
  try {
    return format.decodeResponse(body);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const message = `${l10n.t('The service’s answer is not in the {0} format.', format.name)} ${error.message}`;
    throw new ServiceError({ kind: 'malformed', message, status, requestId }, { cause: error });
  }
}

function notJson(text: string, { response: { status }, requestId, host }: OpenAnswer): ServiceError {
  const advice = l10n.t('Check the base address; it usually ends with /api/v1.');
  const message = `${whatCameInstead(text, host)} ${advice}`;
  return new ServiceError({ kind: 'malformed', message, status, requestId });
}

function whatCameInstead(text: string, host: string): string {
  if (text === '') return l10n.t('{0} answered with nothing.', host);
  if (!looksLikePage(text)) return l10n.t('{0} answered with text that is not JSON.', host);
  const title = excerptOfPage(text);
  if (title === undefined) return l10n.t('{0} answered with a web page.', host);
  return l10n.t('{0} answered with a web page (“{1}”).', host, title);
}
