import { newId } from '../core/callIds.ts';

const PREFIX = /^[a-z]+[-_]/i;
/** Services with unique IDs use at least 20 characters. Ollama draws one of a thousand numbers. */
const MIN_CHARACTERS = 16;

/**
 * Returns the answer's own ID, or a new one if it is too short to be unique. Clients store answers by ID, and some take
 * a second answer with the same ID for a new version of the first.
 */
export function distinctAnswerId(id: string): string {
  return id.replace(PREFIX, '').length < MIN_CHARACTERS ? newId() : id;
}
