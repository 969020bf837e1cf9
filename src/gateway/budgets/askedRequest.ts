import { FormatError } from '../../formats/apiError.ts';
import type { FormatName } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { FALLBACKS, fallbackLists } from '../core/fallbackModels.ts';
import { findModel } from '../core/modelName.ts';
import type { Refusal } from '../core/refusal.ts';
import { type CountedJson, readCountedJson, readLongJson } from '../http/jsonBody.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import { isLong } from '../http/turns.ts';

/**
 * The parts of a request that the terms of its key apply to, read from the whole body in the same way as upstreams do.
 */
export interface AskedRequest {
  readonly body: JsonRecord;
  readonly model: string | undefined;
  /** Other models of the same service that may answer instead. */
  readonly fallbacks: readonly string[];
  /** Further models that tools of the service may call. */
  readonly toolModels: readonly string[];
}

const MODEL_UNCLEAR: Refusal = invalid(
  'The request specifies its model more than once, or not as "model". Specify it exactly once.',
  'model',
);

const BACKGROUND: Refusal = invalid(
  'A key with a budget, limits, or a list of models cannot use "background", because the gateway could not read the usage of the answer. Remove "background".',
  'background',
);

const FALLBACKS_UNCLEAR: Refusal = invalid(
  'The request has fallback models in an unsupported form, so the budget or the list of models of its key cannot be applied. List their names as strings, or remove them.',
  'models',
);

/**
 * Refuses a body that can be read in two ways: if a member occurs twice, some programs read the first one and some the
 * last, and some programs ignore case in names.
 */
export function readAskedRequest(bytes: Buffer): AskedRequest | Refusal {
  try {
    return askedRequest(bytes, readCountedJson(bytes));
  } catch (error) {
    return refusalOf(error);
  }
}

/** The same, step by step if the body is long. */
export async function readLongRequest(bytes: Buffer): Promise<AskedRequest | Refusal> {
  if (!isLong(bytes)) return readAskedRequest(bytes);
  try {
    return askedRequest(bytes, await readLongJson(bytes));
  } catch (error) {
    return refusalOf(error);
  }
}

function askedRequest(bytes: Buffer, { value: body, members }: CountedJson): AskedRequest | Refusal {
  if (!isRecord(body)) return invalid('The body of the request is not a JSON object.');
  const model = typeof body.model === 'string' ? body.model : undefined;
  const isSpeltOtherwise = Object.keys(body).some((name) => name !== 'model' && plainName(name) === 'model');
  // If no name occurs twice, all programs read the same body.
  const further = members - membersWithin(body);
  if (isSpeltOtherwise || (further > 0 && findModel(bytes)?.name !== model)) return MODEL_UNCLEAR;
  const unclear = unclearMember(bytes, body, further) ?? unclearCount(body);
  if (unclear !== undefined) return unclear;
  if (body.background !== undefined && body.background !== null && body.background !== false) return BACKGROUND;
  const fallbacks = fallbacksOf(body);
  return fallbacks === undefined ? FALLBACKS_UNCLEAR : { body, model, fallbacks, toolModels: modelsOfTools(body) };
}

/**
 * Refuses members that occur twice or contain capitals, because some programs would read the other one.
 * @param further how many more members are written than there are different names.
 */
function unclearMember(bytes: Buffer, body: JsonRecord, further: number): Refusal | undefined {
  const written = further === 0 ? Object.keys(body) : namesIn(bytes);
  const names = new Set<string>();
  for (const name of written) {
    const plain = plainName(name);
    if (plain === 'model') continue;
    if (names.has(plain) || (READ.has(plain) && plain !== name)) {
      return invalid(
        `The request has the member "${plain.slice(0, 50)}" twice, or in capital letters. Specify it once, in lowercase.`,
        plain,
      );
    }
    names.add(plain);
  }
  return further === written.length - Object.keys(body).length ? undefined : MEMBER_TWICE;
}

/** The names of the outermost members, including duplicates. */
function namesIn(bytes: Buffer): readonly string[] {
  const scanner = new ObjectScanner();
  scanner.push(bytes);
  return scanner.members.map(({ name }) => name);
}

/**
 * Returns a name as lenient programs read it: without regard to case, with the long s (ſ) as an s, without invisible
 * characters, or with capitals in place of underscores.
 */
export function plainName(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  const plain = name.normalize('NFKC').toLowerCase();
  return READ_BY_LETTERS.get(lettersOf(plain)) ?? plain;
}

function lettersOf(plain: string): string {
  return plain.replaceAll(/[\p{C}\p{Z}_-]/gu, '');
}

const PLAIN_NAME = /^[a-z\d_]*$/;

/** Counts the members of all objects in a value, at any depth. */
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
  // What is too large to be a number here may be one for the upstream.
  const unclear = name ?? ANSWER_COUNTS.find((each) => body[each] === Number.POSITIVE_INFINITY);
  return unclear === undefined ? undefined : invalid(`${unclear}: This must be a number.`, unclear);
}

/** @returns undefined if they cannot be understood. */
function fallbacksOf(body: JsonRecord): readonly string[] | undefined {
  const names = fallbackLists(body).flatMap((value): unknown[] => (Array.isArray(value) ? value : [undefined]));
  return names.every((name) => typeof name === 'string') ? [...new Set(names)] : undefined;
}

/** Models that hosted tools and extensions call, such as an advisor or an image model. */
function modelsOfTools({ model, tools, plugins }: JsonRecord): readonly string[] {
  const parts = [tools, plugins].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  const named = parts.filter(isRecord).flatMap((part) => Object.entries(part).filter(([name]) => MODEL.test(name)));
  const names = named.flatMap(([, value]): unknown[] => (Array.isArray(value) ? value : [value]));
  return [...new Set(names.filter((name) => typeof name === 'string' && name !== model))] as string[];
}

const MODEL = /(?:^|_)models?$/i;

/**
 * The maximum number of output tokens that a request allows for one answer. Undefined if it sets no limit of its format.
 * Names of other formats and servers can only raise it, because not every server reads them.
 */
export function askedOutputTokens({ body }: AskedRequest, format: FormatName): number | undefined {
  const limitsOf = (names: readonly string[]) => names.map((name) => body[name]).filter(isPositive);
  return limitsOf(OUTPUT_LIMITS[format]).length === 0 ? undefined : Math.max(...limitsOf(ALL_OUTPUT_LIMITS));
}

/** The number of answers that the request asks for. Only chat completions can ask for more than one. */
export function askedAnswers({ body }: AskedRequest, format: FormatName): number {
  const counts = ANSWER_COUNTS.map((name) => body[name]).filter(isPositive);
  return format === 'chat-completions' ? Math.ceil(Math.max(1, ...counts)) : 1;
}

/**
 * Whether the request asks for a tier that may cost more than the catalog's prices. No catalog lists prices of such
 * tiers.
 */
export function asksForUnlistedTier({ body }: AskedRequest): boolean {
  return Object.entries(LISTED).some(([name, values]) => !values.has(body[name] ?? undefined));
}

/** Whether the request continues from content that the service stores and the body does not contain. */
export function hasPreviousResponse({ body }: AskedRequest): boolean {
  return KEPT_ELSEWHERE.some((name) => body[name] !== undefined && body[name] !== null);
}

const OUTPUT_LIMITS: Readonly<Record<FormatName, readonly string[]>> = {
  'chat-completions': ['max_completion_tokens', 'max_tokens'],
  messages: ['max_tokens'],
  responses: ['max_output_tokens'],
};
/** Some servers read these as well, such as llama.cpp `n_predict`. */
export const ALL_OUTPUT_LIMITS: readonly string[] = [
  ...new Set(Object.values(OUTPUT_LIMITS).flat()),
  ...['max_new_tokens', 'max_tokens_to_sample', 'n_predict', 'num_predict'],
];
const ANSWER_COUNTS = ['n', 'best_of'];
const COUNTS: ReadonlySet<string> = new Set([...ANSWER_COUNTS, 'max_tool_calls', ...ALL_OUTPUT_LIMITS]);
const KEPT_ELSEWHERE = ['previous_response_id', 'conversation', 'prompt'];
/** Values of members that select a price, if that price is the catalog's or a lower one. */
const LISTED: Readonly<Record<string, ReadonlySet<unknown>>> = {
  service_tier: new Set([undefined, '', 'auto', 'default', 'standard', 'standard_only', 'flex', 'batch']),
  speed: new Set([undefined, 'standard']),
  inference_geo: new Set([undefined, 'global']),
};
/** Members that make some services retrieve further content before they answer. */
export const HOSTED = ['web_search_options', 'plugins', 'mcp_servers', 'search_parameters', 'container'];
/** Members that determine how much a request may use, and at which price. */
const READ: ReadonlySet<string> = new Set([
  ...[...COUNTS, ...FALLBACKS, ...KEPT_ELSEWHERE, ...HOSTED, ...Object.keys(LISTED)],
  ...['background', 'stream', 'messages', 'input', 'system', 'instructions', 'tools', 'context_management'],
  ...['modalities', 'audio', 'cache_control'],
]);

const READ_BY_LETTERS: ReadonlyMap<string, string> = new Map(['model', ...READ].map((name) => [lettersOf(name), name]));

const MEMBER_TWICE = invalid(
  'An object in the request has the same member twice, so its meaning is ambiguous. Specify each member once.',
);

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof FormatError) return invalid(error.message);
  throw error;
}

function invalid(message: string, param?: string): Refusal {
  return { error: { kind: 'invalidRequest', status: 400, message, ...(param !== undefined && { param }) } };
}
