/** Reads answers with a single JSON body. */
import * as l10n from '@vscode/l10n';
import { parseJson } from '../formats/json.ts';
import { excerptOfPage, isErrorBody, looksLikePage } from './errorBody.ts';
import { ServiceError } from './serviceError.ts';
import type { OpenAnswer } from './transport.ts';

/**
 * Returns the body of a successful response as JSON.
 * @throws {ServiceError} if the body is an error despite its status, is not JSON, or is interrupted.
 */
export async function readJson(answer: OpenAnswer): Promise<unknown> {
  const text = await readWhole(answer);
  const body = parseJson(text);
  if (isErrorBody(body)) throw ServiceError.fromResponse(answer.response.status, answer.response.headers, text);
  if (body === undefined) throw notJson(text, answer);
  return body;
}

async function readWhole({ response, control, host }: OpenAnswer): Promise<string> {
  try {
    return await textOf(response);
  } catch (error) {
    control.signal.throwIfAborted();
    if (error instanceof TooLong)
      throw new ServiceError({ kind: 'malformed', message: tooLong(host) }, { cause: error });
    const message = l10n.t('The connection to {0} was lost during the answer.', host);
    throw new ServiceError({ kind: 'network', message }, { cause: error });
  } finally {
    control.close();
  }
}

/** Maximum size of a body, which is held in memory as a whole. */
const MAX_BYTES = 16 * 1024 * 1024;

class TooLong extends Error {}

async function textOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    bytes += read.value.byteLength;
    if (bytes > MAX_BYTES) throw new TooLong();
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}

export function tooLong(host: string): string {
  return l10n.t('{0} sent more than an answer may have, so the rest was not read.', host);
}

function notJson(text: string, { response: { status }, requestId, host }: OpenAnswer): ServiceError {
  const advice = l10n.t('Check the base address; it usually ends with /api/v1.');
  const message = `${whatCameInstead(text, host)} ${advice}`;
  return new ServiceError({ kind: 'malformed', message, status, requestId });
}

function whatCameInstead(text: string, host: string): string {
  if (text === '') return l10n.t('{0} returned an empty response.', host);
  if (!looksLikePage(text)) return l10n.t('{0} returned text that is not JSON.', host);
  const title = excerptOfPage(text);
  if (title === undefined) return l10n.t('{0} returned a web page.', host);
  return l10n.t('{0} returned a web page (“{1}”).', host, title);
}
