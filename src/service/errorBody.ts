/** Reads the body of a failed response, whether the service, a proxy, or a web server wrote it. */
import { defined, isRecord, parseJson } from '../formats/json.ts';
import { Members, readText } from './members.ts';

export interface ErrorBody {
  /** Undefined if the body contains no readable text. */
  readonly message?: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly requestId?: string;
}

/** Longer messages are truncated, because an error is shown in a card or in a line of the log. */
const MAX_MESSAGE_LENGTH = 1000;
const MAX_EXCERPT_LENGTH = 200;
/** Only the beginning of a web page is searched, in characters. */
const READ_OF_PAGE = 20_000;

/**
 * Where the object that describes the error may be, and which of its members may contain the message. The first match
 * is used.
 */
const PLACES = ['error', 'errors.0', 'detail.0', 'detail', 'data.error', 'response.error'];
const MESSAGES = ['message', 'msg', 'detail', 'description', 'error_description', 'error_message', 'title', 'reason'];

/** Reads the body of an error and never throws. */
export function readErrorBody(text: string): ErrorBody {
  const body = parseJson(text);
  const record = Array.isArray(body) ? body[0] : body;
  if (isRecord(record)) return readJsonError(record);
  if (body !== undefined && typeof body !== 'string') return {};
  const message = looksLikePage(text) ? excerptOfPage(text) : readText(body ?? text);
  return message === undefined ? {} : { message: cut(message, MAX_MESSAGE_LENGTH) };
}

/** Whether the JSON of a successful status describes an error. A member `error: null` does not. */
export function isErrorBody(body: unknown): boolean {
  if (!isRecord(body)) return false;
  if (body.type === 'error') return true;
  return (
    Object.hasOwn(body, 'error') && (isRecord(body.error) || readText(body.error) !== undefined) && !isResponse(body)
  );
}

/** Whether this is a complete answer in the responses format, which has an `error` member of its own if it failed. */
function isResponse(body: Readonly<Record<string, unknown>>): boolean {
  return body.object === 'response';
}

function readJsonError(body: Readonly<Record<string, unknown>>): ErrorBody {
  const whole = new Members(body);
  const place = PLACES.map((path) => followed(body, path)).find((value) => isRecord(value));
  const inner = new Members(place);
  const texts = PLACES.map((path) => readText(followed(body, path)));
  const message = inner.first(MESSAGES, readText) ?? whole.first(MESSAGES, readText) ?? texts.find(Boolean);
  const type = readText(inner.get('type')) ?? (place === undefined ? readText(whole.get('type')) : undefined);
  const code = readWord(inner.get('code')) ?? readWord(whole.get('code'));
  const param = readText(inner.get('param'));
  const requestId = readText(whole.get('request_id')) ?? readText(inner.get('request_id'));
  return {
    ...(message !== undefined && { message: cut(oneText(message), MAX_MESSAGE_LENGTH) }),
    ...defined({ type, code, param, requestId }),
  };
}

/** Returns the value at a path of member names and list indexes. */
function followed(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, value);
}

/** Reads a code, which some services send as the status in the form of a number. */
function readWord(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : readText(value);
}

/** Returns the message of the service, whose JSON some proxies embed in their own message. */
function oneText(message: string): string {
  if (!message.startsWith('{')) return message;
  const inner = parseJson(message);
  return (isRecord(inner) ? readJsonError(inner).message : undefined) ?? message;
}

export function looksLikePage(text: string): boolean {
  return /^\s*(?:<!doctype|<html|<head|<body|<\?xml|<!--)/i.test(text.slice(0, 500));
}

/** Returns the title of a page, or else its first words, without markup. */
export function excerptOfPage(text: string): string | undefined {
  const page = text.slice(0, READ_OF_PAGE);
  const title = /<title[^>]{0,200}>([^<]+)/i.exec(page)?.[1];
  const words = title ?? page.replaceAll(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ').replaceAll(/<[^>]*>?/g, ' ');
  const plain = words
    .replaceAll(/&(?:nbsp|#160);/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain === '' ? undefined : cut(plain, MAX_EXCERPT_LENGTH);
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).trimEnd()}…`;
}
