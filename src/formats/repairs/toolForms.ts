/** Other forms of the same tools, and of the choice among them. */
import { isRecord, type JsonRecord, type JsonObject as Schema } from '../json.ts';
import { plainParameters } from './plainSchema.ts';
import { type Simplification, withConversation } from './simplification.ts';

/** A dialect of JSON Schema, or a part of it, that a server does not read. */
const SCHEMA_REFUSED =
  /(?:json.?)?schema\b.{0,200}(?:invalid|not (?:a )?(?:valid|support|allow)|unsupported|unrecogni|fail|error|must|unable|missing|cannot)|(?:invalid|unsupported|unrecogni[sz]ed|bad|not a valid|fail\w*|unable to)\b.{0,80}(?:schema|grammar)|function_?declarations?\b|tools?\W{0,3}\d+\W.{0,80}(?:parameters|input_schema|properties)|\$(?:ref|defs|schema)\b|\b(?:any|one|all)Of\b|additionalProperties|propertyNames|exclusiveM(?:in|ax)imum|(?:property|type) .{0,60}(?:is not defined|must be defined|should be defined|has no type)/i;

/** A choice in the form of an object, or of a single tool. */
const CHOICE_REFUSED = /tool_?choice\b.{0,120}(?:object|string|type|value|required|any|not support|invalid)/i;

export const TOOL_FORMS: readonly Simplification[] = [
  {
    name: 'tools:plain',
    weight: 'form',
    isDeep: true,
    lost: 'tools.schema',
    meant: SCHEMA_REFUSED,
    apply: (body) => withTools(body, plainTool),
  },
  {
    name: 'tool_choice:required',
    weight: 'rest',
    isOnlyAsked: true,
    meant: CHOICE_REFUSED,
    apply: withRequiredTool,
  },
  { name: 'tool_choice', weight: 'rest', lost: 'tool_choice', meant: CHOICE_REFUSED, apply: withFreeChoice },
];

/** After everything else, because other changes make a choice automatic, which is what a server does without one. */
export const NO_CHOICE: Simplification = {
  name: 'tool_choice:none',
  weight: 'extra',
  apply: ({ tool_choice: choice, ...body }) => (isAutomatic(choice) ? body : undefined),
};

function isAutomatic(choice: unknown): boolean {
  return choice === 'auto' || (isRecord(choice) && choice.type === 'auto' && Object.keys(choice).length === 1);
}

function withTools(body: JsonRecord, change: (tool: JsonRecord) => JsonRecord): JsonRecord | undefined {
  const { tools } = body;
  if (!Array.isArray(tools)) return undefined;
  const changed = tools.map((tool: unknown) => (isRecord(tool) ? change(tool) : tool));
  return JSON.stringify(changed) === JSON.stringify(tools) ? undefined : { ...body, tools: changed };
}

/** Each format has the schema of a tool in another place. A plain schema is not strict. */
function plainTool(tool: JsonRecord): JsonRecord {
  if (isRecord(tool.function)) return { ...tool, function: plainDefinition(tool.function) };
  if (Array.isArray(tool.tools))
    return { ...tool, tools: tool.tools.map((each) => (isRecord(each) ? plainTool(each) : each)) };
  return plainDefinition(tool);
}

function plainDefinition({ strict, ...definition }: JsonRecord): JsonRecord {
  const name = isRecord(definition.parameters) ? 'parameters' : 'input_schema';
  const schema = definition[name];
  if (!isRecord(schema)) return { ...definition, ...(strict !== undefined && { strict }) };
  // A member that must be explicit stays.
  return { ...definition, [name]: plainParameters(schema as Schema), ...(strict === false && { strict }) };
}

/** The choice of the only tool means the same as that of any tool. */
function withRequiredTool(body: JsonRecord): JsonRecord | undefined {
  const { tool_choice: choice, tools } = body;
  const isOne = Array.isArray(tools) && tools.length === 1 && isRecord(choice) && choice.type === 'function';
  return isOne ? { ...body, tool_choice: 'required' } : undefined;
}

/** A forced choice becomes a free one in the same format. */
function withFreeChoice(body: JsonRecord): JsonRecord | undefined {
  const { tool_choice: choice } = body;
  if (choice === undefined || choice === 'auto' || choice === 'none') return undefined;
  if (!isRecord(choice)) return { ...body, tool_choice: 'auto' };
  const { type, disable_parallel_tool_use: isSerial } = choice;
  if (type === 'auto' || type === 'none') return undefined;
  // Only the messages format has these types of forced choices.
  if (type !== 'any' && type !== 'tool') return { ...body, tool_choice: 'auto' };
  const rest = isSerial === undefined ? {} : { disable_parallel_tool_use: isSerial };
  return { ...body, tool_choice: { type: 'auto', ...rest } };
}

/** Of a free-form tool of the responses format as a function. Its answers are translated back, like those of others. */
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
