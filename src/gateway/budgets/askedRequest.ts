import { FormatError } from '../../formats/apiError.ts';
import type { FormatName } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { findModel } from '../core/modelName.ts';
import type { Refusal } from '../core/refusal.ts';
import { asBuffer } from '../http/asBuffer.ts';
import { readJsonBody } from '../http/jsonBody.ts';
import { ObjectScanner } from '../http/objectScanner.ts';

/** What a request says that the terms of its key are about, read from its whole body as an upstream reads it. */
export interface AskedRequest {
  readonly body: JsonRecord;
  readonly model: string | undefined;
  /** Other models of the same service that may answer instead. */
  readonly fallbacks: readonly string[];
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
  const body = readObject(bytes);
  if (typeof body === 'string') return invalid(body);
  const model = typeof body.model === 'string' ? body.model : undefined;
  const isSpeltOtherwise = Object.keys(body).some((name) => name !== 'model' && name.toLowerCase() === 'model');
  if (isSpeltOtherwise || findModel(bytes)?.name !== model) return MODEL_UNCLEAR;
  const unclear = unclearMember(bytes) ?? unclearCount(body);
  if (unclear !== undefined) return unclear;
  if (body.background === true) return BACKGROUND;
  const fallbacks = fallbacksOf(body);
  return fallbacks === undefined ? FALLBACKS_UNCLEAR : { body, model, fallbacks };
}

/** Of a member that comes twice, or in capitals, a program may read the other one. */
function unclearMember(bytes: Uint8Array): Refusal | undefined {
  const scanner = new ObjectScanner();
  scanner.push(asBuffer(bytes));
  const names = new Set<string>();
  for (const { name } of scanner.members) {
    const plain = name.toLowerCase();
    if (plain === 'model') continue;
    if (names.has(plain) || (COUNTED.has(plain) && plain !== name)) {
      return invalid(`The request has the member "${plain.slice(0, 50)}" twice, or in capitals. Write it once.`, plain);
    }
    names.add(plain);
  }
  return undefined;
}

function unclearCount(body: JsonRecord): Refusal | undefined {
  const name = [...COUNTS].find((each) => !['undefined', 'number'].includes(typeof (body[each] ?? undefined)));
  return name === undefined ? undefined : invalid(`${name}: This must be a number.`, name);
}

/** @returns undefined where they cannot be understood. */
function fallbacksOf(body: JsonRecord): readonly string[] | undefined {
  const given = FALLBACKS.map((name) => body[name]).filter((value) => value !== undefined && value !== null);
  const names = given.flatMap((value): unknown[] => (Array.isArray(value) ? value : [undefined]));
  return names.every((name) => typeof name === 'string') ? [...new Set(names)] : undefined;
}

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

/** Whether it asks for a tier that costs more than the catalog's prices, and whose prices no catalog lists. */
export function asksDearTier({ body }: AskedRequest): boolean {
  return body.service_tier === 'priority' || body.speed === 'fast';
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
/** Members by which some services ask another model when the first does not answer. */
const FALLBACKS = ['models', 'fallbacks', 'fallback_models'];
const COUNTS: ReadonlySet<string> = new Set(['n', 'best_of', ...Object.values(OUTPUT_LIMITS).flat()]);
/** Members on which the price of a request depends. */
const COUNTED: ReadonlySet<string> = new Set([...COUNTS, ...FALLBACKS, 'background', 'stream']);
const KEPT_ELSEWHERE = ['previous_response_id', 'conversation', 'prompt'];

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

/** What is in the body, or what is wrong with it. */
function readObject(bytes: Uint8Array): JsonRecord | string {
  try {
    const value = readJsonBody(bytes);
    return isRecord(value) ? value : 'The body of the request is not a JSON object.';
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

function invalid(message: string, param?: string): Refusal {
  return { error: { kind: 'invalidRequest', status: 400, message, ...(param !== undefined && { param }) } };
}
