/** Starts a stream with a request that the extension has written, in a form that the service accepts. */
import type { JsonRecord } from '../formats/json.ts';
import { ExperimentRun, learnedFrom, type RefusedRequest } from '../formats/repairs/experiment.ts';
import { applicable, repairAll } from '../formats/repairs/repair.ts';
import type { WireFormat } from '../formats/wireFormat.ts';
import type { ApiClient } from './apiClient.ts';
import { ServiceError } from './serviceError.ts';
import type { CallOptions } from './transport.ts';

interface RepairedRequest {
  readonly format: WireFormat;
  readonly model: string;
  /** With the changes that are known to help. */
  readonly body: JsonRecord;
}

/** Returns the request with the changes with which the service accepts it. */
export function withKnownChanges(client: ApiClient, { model, body }: Omit<RepairedRequest, 'format'>): JsonRecord {
  const known = client.refusals.of(model);
  return known.length === 0 ? body : repairAll(body, applicable(body, known)).body;
}

/**
 * Sends a refused request again in other forms, as the gateway does for translated ones, and remembers what helped.
 * @param refused the error of the first attempt.
 * @throws {ServiceError} the first refusal whose words were followed, if nothing helps.
 */
export async function repeatInOtherForms(
  client: ApiClient,
  { format, model, body }: RepairedRequest,
  refused: unknown,
  options: CallOptions,
) {
  const { refusals } = client;
  const trial = new ExperimentRun(body, '', (shape) => refusals.isUnhelped(model, shape));
  let sent = body;
  let clearest = refused;
  let error = refused;
  for (;;) {
    const next = error instanceof ServiceError ? trial.next(refusalOf(error), sent) : undefined;
    if (next === undefined) {
      for (const shape of trial.tried) refusals.learnUnhelped(model, shape);
      throw trial.attempts.guessed.length > 0 ? clearest : error;
    }
    if (next.guessed.length === 0) clearest = error;
    sent = repairAll(body, [...next.named, ...next.guessed]).body;
    try {
      const stream = await client.stream(format, sent, options);
      refusals.learn(model, learnedFrom(next));
      return stream;
    } catch (further) {
      error = further;
    }
  }
}

function refusalOf({ status = 0, message, param, code, type }: ServiceError): RefusedRequest {
  return { status, answer: JSON.stringify({ error: { message, param, code, type } }) };
}
