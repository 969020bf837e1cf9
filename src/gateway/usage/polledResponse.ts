/**
 * Responses that are made in the background. Only a later request for the response shows what it has used, and clients
 * send several, so the first one that shows it counts.
 */
import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import type { UsageCount } from '../core/upstream.ts';
import { decompress } from '../http/contentEncoding.ts';
import type { PassedAnswer } from './passedAnswer.ts';
import { UsageReader } from './usageReader.ts';

const RUNNING: ReadonlySet<unknown> = new Set(['queued', 'in_progress']);
const MAX_COUNTED = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Returns what a stored response has used.
 * @param counted IDs of responses that were counted. This one is added.
 * @returns undefined if it was counted when it was made, or before.
 */
export function polledUsage(answer: PassedAnswer, counted: Set<string>): UsageCount | undefined {
  const response = backgroundResponse(answer);
  const { id, status } = response ?? {};
  if (response === undefined || RUNNING.has(status) || typeof id !== 'string' || counted.has(id)) return undefined;
  const reader = new UsageReader('responses');
  reader.readAnswer(response);
  const { usage, model } = reader.reported() ?? {};
  if (usage === undefined) return undefined;
  counted.add(id);
  const [oldest = id] = counted;
  if (counted.size > MAX_COUNTED) counted.delete(oldest);
  return { usage, isEstimated: false, ...(model !== undefined && { model }) };
}

/** Whether an answer says only that the response is being made, so that it has used nothing yet. */
export function isOnlyBegun(answer: PassedAnswer): boolean {
  return RUNNING.has(backgroundResponse(answer)?.status);
}

function backgroundResponse(answer: PassedAnswer): JsonRecord | undefined {
  if ((answer.form?.status ?? 400) >= 400 || answer.keptPart < 1 || answer.isEventStream) return undefined;
  const bytes = decompress(answer.beginning, answer.form?.encoding ?? '', MAX_BYTES);
  const response = bytes?.includes('"background"') ? parseJson(bytes.toString()) : undefined;
  return isRecord(response) && response.background === true ? response : undefined;
}
