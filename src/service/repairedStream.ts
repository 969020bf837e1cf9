/** Starts a stream with a request that the extension has written, in a form that the service accepts. */
import { isRecord, type JsonRecord } from '../formats/json.ts';
import { type Attempts, learnedFrom, NO_ATTEMPTS, nextAttempt, shapeOf } from '../formats/repairs/experiment.ts';
import { applicable, repairAll } from '../formats/repairs/repair.ts';
import type { WireFormat } from '../formats/wireFormat.ts';
import type { ApiClient } from './apiClient.ts';
import { ServiceError } from './serviceError.ts';
import type { CallOptions } from './transport.ts';

/** @param body the request, with the changes that are known to help. */
export interface RepairedRequest {
  readonly format: WireFormat;
  readonly model: string;
  readonly body: JsonRecord;
}

/** Returns the request with the changes with which the service accepts it. */
export function withKnownChanges(client: ApiClient, { model, body }: Omit<RepairedRequest, 'format'>): JsonRecord {
  const known = client.refusals.of(model);
  return known.length === 0 ? body : repairAll(body, applicable(body, known)).body;
}

/**
 * Sends a refused request again in other forms, as the gateway does for translated ones, and remembers what helped.
 * @throws {ServiceError} the first refusal whose words were followed, if nothing helps.
 */
export async function repeatInOtherForms(
  client: ApiClient,
  { format, model, body }: RepairedRequest,
  refused: unknown,
  options: CallOptions,
) {
  const { refusals } = client;
  const shape = shapeOf(body);
  let attempts: Attempts = NO_ATTEMPTS;
  let sent = body;
  let clearest = refused;
  let error = refused;
  for (;;) {
    const next = nextAfter(error, { sent, original: body }, attempts, !refusals.isUnhelped(model, shape));
    if (next === undefined) {
      if (attempts.rounds > 0) refusals.learnUnhelped(model, shape);
      throw attempts.guessed.length > 0 ? clearest : error;
    }
    if (next.guessed.length === 0) clearest = error;
    attempts = next;
    sent = repairAll(body, [...attempts.named, ...attempts.guessed]).body;
    try {
      const stream = await client.stream(format, sent, options);
      refusals.learn(model, learnedFrom(attempts));
      return stream;
    } catch (further) {
      error = further;
    }
  }
}

function nextAfter(
  error: unknown,
  bodies: { readonly sent: JsonRecord; readonly original: JsonRecord },
  attempts: Attempts,
  mayGuess: boolean,
): Attempts | undefined {
  if (!(error instanceof ServiceError) || !isRecord(bodies.sent)) return undefined;
  const { status = 0, message, param, code, type } = error;
  return nextAttempt(
    { status, answer: JSON.stringify({ error: { message, param, code, type } }) },
    bodies,
    attempts,
    mayGuess,
  );
}
