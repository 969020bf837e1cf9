/** Free-form tools of the responses format as functions. Answers are translated back, as those of other formats. */
import { isRecord, type JsonRecord } from '../json.ts';
import { type Simplification, withConversation } from './simplification.ts';

const PARAMETERS = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
};

export const FUNCTION_TOOLS: Simplification = {
  name: 'tools:functions',
  weight: 'form',
  isDeep: true,
  lost: 'tools.type',
  meant:
    /type.{0,30}tools?\b.{0,40}function|tool.{0,12}types?\b|only .{0,20}function.{0,20}tools?|\bcustom\b.{0,40}tool/i,
  apply: (body) => {
    const { tools, tool_choice: choice } = body;
    if (!Array.isArray(tools) || !tools.some(isCustom)) return undefined;
    const changed = { ...body, tools: tools.map(asFunction) };
    const items = withConversation(changed, (input) => input.map(asFunctionItem)) ?? changed;
    return isCustom(choice) ? { ...items, tool_choice: { ...choice, type: 'function' } } : items;
  },
};

/** Only the responses format has the name beside the type. */
function isCustom(value: unknown): value is JsonRecord {
  return isRecord(value) && value.type === 'custom' && typeof value.name === 'string';
}

function asFunction(tool: unknown): unknown {
  if (!isCustom(tool)) return tool;
  const { format, description, ...rest } = tool;
  const grammar = isRecord(format) && typeof format.definition === 'string' ? format.definition : undefined;
  const words = [description, grammar && `The input must follow this grammar:\n\n${grammar}`].filter(Boolean);
  return {
    ...{ ...rest, type: 'function' },
    ...(words.length > 0 && { description: words.join('\n\n') }),
    ...{ parameters: PARAMETERS, strict: false },
  };
}

function asFunctionItem(item: unknown): unknown {
  if (!isRecord(item)) return item;
  if (item.type === 'custom_tool_call_output') return { ...item, type: 'function_call_output' };
  if (item.type !== 'custom_tool_call') return item;
  const { input, ...rest } = item;
  return { ...rest, type: 'function_call', arguments: JSON.stringify({ input }) };
}
