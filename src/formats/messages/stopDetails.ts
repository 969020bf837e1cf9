/** The details of a refusal: the service's explanation, and the category of its policy. */
import { otherMembers } from '../dropped.ts';
import type { StopDetails } from './schema.ts';

/** The name reported for details that the neutral form does not support. */
const STOP_DETAILS = 'stop_details';
const READ: ReadonlySet<string> = new Set(['type', 'explanation']);

/** Returns the text that the model's refusal consists of. Empty if there is none. */
export function explanationIn(details: StopDetails | null | undefined): string {
  return details?.explanation ?? '';
}

export function droppedFromDetails(details: StopDetails | null | undefined): string[] {
  return details && otherMembers(details, READ).length > 0 ? [STOP_DETAILS] : [];
}

/** The details of an answer of another format, which does not say why. The text of a refusal is in the content. */
export const UNEXPLAINED: StopDetails = { type: 'refusal', category: null, explanation: null };
