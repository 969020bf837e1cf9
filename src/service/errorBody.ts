/** What the body of a failed answer says, whoever wrote it: the service, a proxy before it, a web server. */
import { isRecord } from '../formats/json.ts';
import { Members, parseJson, readText } from './json.ts';

export interface ErrorBody {
  /** Absent when the body has no words for a person. */
  readonly message?: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly requestId?: string;
}

/** Longer messages are cut: an error is shown in a card or a line of the log. */
const MAX_MESSAGE_LENGTH = 1000;
const MAX_EXCERPT_LENGTH = 200;
/** Of a web page only its beginning is looked at. */
const READ_OF_PAGE = 20_000;

/** Where the object that describes the error stands, and where its words are in it. The first that is there counts. */
const PLACES = ['error', 'errors.0', 'detail.0', 'detail', 'data.error', 'response.error'];
const MESSAGES = ['message', 'msg', 'detail', 'description', 'error_description', 'error_message', 'title', 'reason'];

/** Never throws. */
export function readErrorBody(text: string): ErrorBody {
  const body = parseJson(text);
  const record = Array.isArray(body) ? body[0] : body;
  if (isRecord(record)) return readJsonError(record);
  if (body !== undefined && typeof body !== 'string') return {};
  const message = looksLikePage(text) ? excerptOfPage(text) : readText(body ?? text);
  return message === undefined ? {} : { message: cut(message, MAX_MESSAGE_LENGTH) };
}

/** Whether JSON that came with a good status is an error all the same. A member `error: null` is not. */
export function isErrorBody(body: unknown): boolean {
  if (!isRecord(body)) return false;
  if (body.type === 'error') return true;
  return (
    Object.hasOwn(body, 'error') && (isRecord(body.error) || readText(body.error) !== undefined) && !isResponse(body)
  );
}

/** A whole answer in the responses format carries an `error` of its own when it failed. */
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
    ...(type !== undefined && { type }),
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** Follows names and numbers of list items. */
function followed(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, value);
}

/** A code is sometimes the status as a number. */
function readWord(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : readText(value);
}

/** Some proxies put the JSON of the service's own error into their message. */
function oneText(message: string): string {
  if (!message.startsWith('{')) return message;
  const inner = parseJson(message);
  return (isRecord(inner) ? readJsonError(inner).message : undefined) ?? message;
}

// ------------------------------------------------------------------------------------------------------ web pages

export function looksLikePage(text: string): boolean {
  return /^\s*(?:<!doctype|<html|<head|<body|<\?xml|<!--)/i.test(text.slice(0, 500));
}

/** The title of a page, else its first words; never its markup. */
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
