import { FormatError } from '../../formats/apiError.ts';
import type { ChatRequest, Message, ToolCallPart } from '../../formats/conversation.ts';
import { EXCESSES, JsonMeasure, MAX_DEPTH, MAX_VALUES } from '../http/jsonMeasure.ts';
import { isTooLongName, LONG_NAME } from './modelName.ts';

/** Vendors accept between 128 and some hundred. Proxies that offer all their tools send some thousand. */
const MAX_TOOLS = 10_000;
/** Vendors accept 64 to 128 characters. Longer names are shortened for them. */
const MAX_TOOL_NAME = 512;
/** Vendors accept between 4 and some tens. */
const MAX_STOP_SEQUENCES = 64;
const MAX_STOP_LENGTH = 1_000;

/**
 * Limits lists that are processed item by item, because that blocks the event loop.
 * @throws {FormatError} naming the limit.
 */
export function checkLimits({
  model,
  messages,
  tools = [],
  hostedTools = [],
  stopSequences = [],
  toolChoice,
}: ChatRequest): void {
  if (isTooLongName(model)) throw new FormatError(LONG_NAME, 'model');
  if (tools.length + hostedTools.length > MAX_TOOLS) {
    throw new FormatError(`tools: At most ${MAX_TOOLS} are allowed.`, 'tools');
  }
  if (tools.some(({ name }) => name.length > MAX_TOOL_NAME)) {
    throw new FormatError(`tools: A tool name can have at most ${MAX_TOOL_NAME} characters.`, 'tools');
  }
  if (toolChoice?.type === 'allowed' && toolChoice.names.length > MAX_TOOLS) {
    throw new FormatError(`tool_choice: At most ${MAX_TOOLS} tools are allowed.`, 'tool_choice');
  }
  if (stopSequences.length > MAX_STOP_SEQUENCES) {
    throw new FormatError(`stop: At most ${MAX_STOP_SEQUENCES} stop sequences are allowed.`, 'stop');
  }
  if (stopSequences.some(({ length }) => length > MAX_STOP_LENGTH)) {
    throw new FormatError(`stop: A stop sequence can have at most ${MAX_STOP_LENGTH} characters.`, 'stop');
  }
  checkArguments(messages.flatMap(callsIn));
}

/**
 * Arguments of calls are JSON in a string, which some formats have as JSON.
 * @throws {FormatError} when they are nested too deep, or made of too many values in all.
 */
export function checkArguments(calls: readonly Pick<ToolCallPart, 'arguments'>[]): void {
  const length = calls.reduce((sum, call) => sum + call.arguments.length, 0);
  let values = 0;
  for (const { arguments: written } of calls) {
    // What is shorter than a limit cannot exceed it.
    if (length <= MAX_VALUES && written.length <= MAX_DEPTH) continue;
    const measure = new JsonMeasure(Buffer.from(written)).pass();
    values += measure.values;
    const excess = measure.excess ?? (values > MAX_VALUES ? 'values' : undefined);
    if (excess !== undefined)
      throw new FormatError(`arguments: The JSON in a tool call ${EXCESSES[excess]}`, 'arguments');
  }
}

function callsIn({ role, parts }: Message): readonly ToolCallPart[] {
  return role === 'assistant' ? parts.filter((part) => part.type === 'toolCall') : [];
}
