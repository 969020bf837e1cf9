import { FormatError } from '../../formats/apiError.ts';
import type { ChatRequest } from '../../formats/conversation.ts';

/** Longer names are no names of models: paths of files, which some local servers take, have some hundred characters. */
const MAX_MODEL_NAME = 512;
/** Vendors take 128 to some hundreds; proxies that offer all that they know have some thousands. */
const MAX_TOOLS = 10_000;
/** Vendors take 4 to some tens. */
const MAX_STOP_SEQUENCES = 64;
const MAX_STOP_LENGTH = 1_000;

/**
 * Limits for what is worked through item by item while nobody else is served.
 * @throws {FormatError} naming the limit.
 */
export function checkLimits({
  model,
  tools = [],
  hostedTools = [],
  stopSequences = [],
  toolChoice,
}: ChatRequest): void {
  if (isTooLongName(model)) throw new FormatError(LONG_NAME, 'model');
  if (tools.length + hostedTools.length > MAX_TOOLS) {
    throw new FormatError(`tools: There may be ${MAX_TOOLS} at most.`, 'tools');
  }
  if (toolChoice?.type === 'allowed' && toolChoice.names.length > MAX_TOOLS) {
    throw new FormatError(`tool_choice: There may be ${MAX_TOOLS} tools at most.`, 'tool_choice');
  }
  if (stopSequences.length > MAX_STOP_SEQUENCES) {
    throw new FormatError(`stop: There may be ${MAX_STOP_SEQUENCES} stop sequences at most.`, 'stop');
  }
  if (stopSequences.some(({ length }) => length > MAX_STOP_LENGTH)) {
    throw new FormatError(`stop: A stop sequence may have ${MAX_STOP_LENGTH} characters at most.`, 'stop');
  }
}

export function isTooLongName(model: string): boolean {
  return model.length > MAX_MODEL_NAME;
}

export const LONG_NAME = `model: The name of a model may have ${MAX_MODEL_NAME} characters at most.`;
