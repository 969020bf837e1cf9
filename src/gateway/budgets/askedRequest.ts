import { FormatError } from '../../formats/apiError.ts';
import type { FormatName } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { findModel } from '../core/modelName.ts';
import type { Refusal } from '../core/refusal.ts';
import { readJsonBody } from '../http/jsonBody.ts';

/** What a request says that the terms of its key are about, read from its whole body as an upstream reads it. */
export interface AskedRequest {
  readonly body: JsonRecord;
  readonly model: string | undefined;
}

const MODEL_UNCLEAR: Refusal = invalid(
  'The request names its model more than once, or not as "model". Name it once, so that it is clear which one is meant.',
  'model',
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
  return { body, model };
}

/** The most output tokens that a request allows for one answer; absent when it does not say. */
export function askedOutputTokens({ body }: AskedRequest, format: FormatName): number | undefined {
  const limits = OUTPUT_LIMITS[format].map((name) => body[name]).filter(isPositive);
  return limits.length === 0 ? undefined : Math.max(...limits);
}

/** How many answers it asks for at once. Only chat completions has more than one. */
export function askedAnswers({ body }: AskedRequest, format: FormatName): number {
  return format === 'chat-completions' && isPositive(body.n) ? Math.ceil(body.n) : 1;
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
