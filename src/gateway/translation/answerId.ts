import { newId } from '../core/callIds.ts';

const PREFIX = /^[a-z]+[-_]/i;
/** Services that tell their answers apart have 20 and more; Ollama draws one of a thousand numbers. */
const MIN_CHARACTERS = 16;

/**
 * The answer's own id, or a new one where it is so short that another answer may have it too: clients keep answers by
 * their ids, and some take a second one for a new version of the first.
 */
export function distinctAnswerId(id: string): string {
  return id.replace(PREFIX, '').length < MIN_CHARACTERS ? newId() : id;
}
