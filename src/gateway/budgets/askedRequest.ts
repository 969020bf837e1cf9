import { FormatError } from '../../formats/apiError.ts';
import type { FormatName } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { FALLBACKS, fallbackLists } from '../core/fallbackModels.ts';
import { findModel } from '../core/modelName.ts';
import type { Refusal } from '../core/refusal.ts';
import { asBuffer } from '../http/asBuffer.ts';
import { type CountedJson, readCountedJson } from '../http/jsonBody.ts';
import { ObjectScanner } from '../http/objectScanner.ts';

/** What a request says that the terms of its key are about, read from its whole body as an upstream reads it. */
export interface AskedRequest {
  readonly body: JsonRecord;
  readonly model: string | undefined;
  /** Other models of the same service that may answer instead. */
  readonly fallbacks: readonly string[];
  /** Further models that tools of the service may ask. */
  readonly toolModels: readonly string[];
}

const MODEL_UNCLEAR: Refusal = invalid(
  'The request names its model more than once, or not as "model". Name it once, so that it is clear which one is meant.',
  'model',
);

const BACKGROUND: Refusal = invalid(
  'A key with a budget, limits, or a list of models cannot ask in the background: what the answer uses would not be told. Leave "background" out.',
  'background',
);

const FALLBACKS_UNCLEAR: Refusal = invalid(
  'The request names models to fall back on in a form that is not known, so its budget or list of models cannot be kept. Name them as a list of strings, or leave them out.',
  'models',
);

/**
 * A body that could be read in two ways is refused: of a member that comes twice, some programs take the first and some
 * the last, and some do not tell capitals from small letters.
 */
export function readAskedRequest(bytes: Uint8Array): AskedRequest | Refusal {
  const read = readCounted(bytes);
  if (typeof read === 'string') return invalid(read);
  const { value: body, members } = read;
  if (!isRecord(body)) return invalid('The body of the request is not a JSON object.');
  const model = typeof body.model === 'string' ? body.model : undefined;
  const isSpeltOtherwise = Object.keys(body).some((name) => name !== 'model' && plainName(name) === 'model');
  // Where nothing comes twice, all readings are the same.
  const further = members - membersWithin(body);
  if (isSpeltOtherwise || (further > 0 && findModel(bytes)?.name !== model)) return MODEL_UNCLEAR;
  const unclear = unclearMember(bytes, body, further) ?? unclearCount(body);
  if (unclear !== undefined) return unclear;
  if (body.background !== undefined && body.background !== null && body.background !== false) return BACKGROUND;
  const fallbacks = fallbacksOf(body);
  return fallbacks === undefined ? FALLBACKS_UNCLEAR : { body, model, fallbacks, toolModels: modelsOfTools(body) };
}

/**
 * Of a member that comes twice, or in capitals, a program may read the other one.
 * @param further members that are written than there are names.
 */
function unclearMember(bytes: Uint8Array, body: JsonRecord, further: number): Refusal | undefined {
  const written = further === 0 ? Object.keys(body) : namesIn(bytes);
  const names = new Set<string>();
  for (const name of written) {
    const plain = plainName(name);
    if (plain === 'model') continue;
    if (names.has(plain) || (READ.has(plain) && plain !== name)) {
      return invalid(`The request has the member "${plain.slice(0, 50)}" twice, or in capitals. Write it once.`, plain);
    }
    names.add(plain);
  }
  return further === written.length - Object.keys(body).length ? undefined : MEMBER_TWICE;
}

/** The names of the outermost members, those that come twice twice. */
function namesIn(bytes: Uint8Array): readonly string[] {
  const scanner = new ObjectScanner();
  scanner.push(asBuffer(bytes));
  return scanner.members.map(({ name }) => name);
}

/** As programs read it that do not tell capitals from small letters: to some of them, the long s is an s, too. */
export function plainName(name: string): string {
  return PLAIN_NAME.test(name) ? name : name.normalize('NFKC').toLowerCase();
}

const PLAIN_NAME = /^[a-z\d_]*$/;

/** Of a value and all values in it. */
function membersWithin(value: unknown): number {
  let count = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const values: unknown[] = Object.values(next);
    if (!Array.isArray(next)) count += values.length;
    for (const each of values) if (typeof each === 'object') waiting.push(each);
  }
  return count;
}

function unclearCount(body: JsonRecord): Refusal | undefined {
  const name = [...COUNTS].find((each) => !['undefined', 'number'].includes(typeof (body[each] ?? undefined)));
  return name === undefined ? undefined : invalid(`${name}: This must be a number.`, name);
}

/** @returns undefined where they cannot be understood. */
function fallbacksOf(body: JsonRecord): readonly string[] | undefined {
  const names = fallbackLists(body).flatMap((value): unknown[] => (Array.isArray(value) ? value : [undefined]));
  return names.every((name) => typeof name === 'string') ? [...new Set(names)] : undefined;
}

/** Models that tools and extensions of the service are to ask, such as one that gives advice or draws. */
function modelsOfTools({ model, tools, plugins }: JsonRecord): readonly string[] {
  const parts = [tools, plugins].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  const named = parts.filter(isRecord).flatMap((part) => Object.entries(part).filter(([name]) => MODEL.test(name)));
  const names = named.flatMap(([, value]): unknown[] => (Array.isArray(value) ? value : [value]));
  return [...new Set(names.filter((name) => typeof name === 'string' && name !== model))] as string[];
}

const MODEL = /(?:^|_)models?$/i;

/** The most output tokens that a request allows for one answer; absent when it does not say. */
export function askedOutputTokens({ body }: AskedRequest, format: FormatName): number | undefined {
  const limits = OUTPUT_LIMITS[format].map((name) => body[name]).filter(isPositive);
  return limits.length === 0 ? undefined : Math.max(...limits);
}

/** How many answers it asks for at once. Only chat completions has more than one. */
export function askedAnswers({ body }: AskedRequest, format: FormatName): number {
  const counts = [body.n, body.best_of].filter(isPositive);
  return format === 'chat-completions' ? Math.ceil(Math.max(1, ...counts)) : 1;
}

/** Whether it asks for what may cost more than the catalog's prices, and whose prices no catalog lists. */
export function asksDearTier({ body }: AskedRequest): boolean {
  return Object.entries(LISTED).some(([name, values]) => !values.has(body[name] ?? undefined));
}

/** Whether it goes on from something that the service keeps and the body does not have. */
export function goesOn({ body }: AskedRequest): boolean {
  return KEPT_ELSEWHERE.some((name) => body[name] !== undefined && body[name] !== null);
}

const OUTPUT_LIMITS: Readonly<Record<FormatName, readonly string[]>> = {
  'chat-completions': ['max_completion_tokens', 'max_tokens'],
  messages: ['max_tokens'],
  responses: ['max_output_tokens'],
};
const COUNTS: ReadonlySet<string> = new Set(['n', 'best_of', 'max_tool_calls', ...Object.values(OUTPUT_LIMITS).flat()]);
const KEPT_ELSEWHERE = ['previous_response_id', 'conversation', 'prompt'];
/** Values of members that choose a price, as far as the price is the catalog's or a lower one. */
const LISTED: Readonly<Record<string, ReadonlySet<unknown>>> = {
  service_tier: new Set([undefined, '', 'auto', 'default', 'standard', 'standard_only', 'flex', 'batch']),
  speed: new Set([undefined, 'standard']),
  inference_geo: new Set([undefined, 'global']),
};
/** Members by which some services look things up before they answer. */
export const HOSTED = ['web_search_options', 'plugins', 'mcp_servers', 'search_parameters', 'container'];
/** Members that say what a request may use, and at which price. */
const READ: ReadonlySet<string> = new Set([
  ...[...COUNTS, ...FALLBACKS, ...KEPT_ELSEWHERE, ...HOSTED, ...Object.keys(LISTED)],
  ...['background', 'stream', 'messages', 'input', 'system', 'instructions', 'tools', 'context_management'],
  ...['modalities', 'audio', 'cache_control'],
]);

const MEMBER_TWICE = invalid(
  'The request has a member of an object twice. Write each once, so that it is clear which one is meant.',
);

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

/** What is in the body, or what is wrong with it. */
function readCounted(bytes: Uint8Array): CountedJson | string {
  try {
    return readCountedJson(bytes);
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

function invalid(message: string, param?: string): Refusal {
  return { error: { kind: 'invalidRequest', status: 400, message, ...(param !== undefined && { param }) } };
}
