/**
 * Signatures of tool calls. Gemini's service refuses calls of its thinking models that come back without the signature
 * in their `extra_content`.
 */
import { isRecord } from '../json.ts';

/** What the service documents for calls that it has not signed, such as those of another model. */
const UNSIGNED = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** Returns the message with the placeholder at its first call, which alone is checked, or the message itself. */
export function withCallSignature<Any extends Readonly<Record<string, unknown>>>(message: Any): Any {
  const { tool_calls: calls } = message;
  const [first, ...rest] = Array.isArray(calls) ? (calls as unknown[]) : [];
  if (!isRecord(first) || isRecord(first.extra_content)) return message;
  return { ...message, tool_calls: [{ ...first, extra_content: UNSIGNED }, ...rest] };
}
