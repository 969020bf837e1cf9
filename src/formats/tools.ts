/** Tools and the choice of tools, as far as all formats treat them alike. */
import { FormatError } from './apiError.ts';
import type { ChatRequest, ToolChoice } from './conversation.ts';
import { isRecord, type JsonObject, type JsonRecord } from './json.ts';
import { asObjectSchema, isOtherAtTop } from './objectSchema.ts';

/**
 * Reads a tool choice in the form of any format, because clients send those of others.
 * @throws {FormatError} if it is of none.
 */
export function readToolChoice(choice: unknown): ToolChoice {
  const type = isRecord(choice) ? choice.type : choice;
  if (type === 'auto' || type === 'none' || type === 'required') return { type };
  if (type === 'any') return { type: 'required' };
  if (isRecord(choice) && type === 'allowed_tools') return readAllowed(choice);
  const name = isRecord(choice) ? chosenName(choice) : undefined;
  if (name !== undefined) return { type: 'tool', name };
  throw new FormatError('tool_choice: This must be "auto", "none", "required", or name a tool.', 'tool_choice');
}

function readAllowed(choice: JsonRecord): ToolChoice {
  const { mode, tools } = isRecord(choice.allowed_tools) ? choice.allowed_tools : choice;
  const names = Array.isArray(tools)
    ? tools.map((tool: unknown) => (isRecord(tool) ? chosenName(tool) : undefined))
    : [];
  if (names.includes(undefined)) throw new FormatError('tool_choice: This is not a list of tools.', 'tool_choice');
  return {
    type: 'allowed',
    mode: mode === 'required' ? 'required' : 'auto',
    names: names.filter((name) => name !== undefined),
  };
}

const OF_CLIENTS: ReadonlySet<unknown> = new Set(['function', 'custom', 'tool']);

/**
 * Returns the name of the chosen tool. A hosted tool is chosen by its type; its name, if any, refers to something
 * inside it.
 */
function chosenName(choice: JsonRecord): string | undefined {
  const { type } = choice;
  return type === undefined || OF_CLIENTS.has(type) ? nameIn(choice) : String(type);
}

/** Whether the choice disables parallel calls, which only the messages format says here. */
export function isSerial(choice: unknown): boolean {
  return isRecord(choice) && choice.disable_parallel_tool_use === true;
}

function nameIn(choice: JsonRecord): string | undefined {
  for (const holder of [choice.function, choice.custom, choice]) {
    if (isRecord(holder) && typeof holder.name === 'string' && holder.name !== '') return holder.name;
  }
  return undefined;
}

/** Adds the members that services demand of the schema of a tool's arguments, and that it means without them. */
export function asParameters(schema: JsonObject = {}): JsonObject {
  if (isOtherAtTop(schema)) return asObjectSchema(schema);
  const isObject = (schema.type ?? 'object') === 'object';
  if (!isObject || (schema.type === 'object' && isRecord(schema.properties))) return schema;
  return { ...schema, type: 'object', properties: isRecord(schema.properties) ? schema.properties : {} };
}

/**
 * Tools that are items of a conversation, such as those found by a tool search. They remain available in requests that
 * continue the conversation, while a request's other tools apply to one answer.
 */
export type InputTools = Required<Pick<ChatRequest, 'tools' | 'hostedTools'>>;

export function inputToolsOf({ tools = [], hostedTools = [] }: ChatRequest): InputTools {
  return { tools: tools.filter(isInput), hostedTools: hostedTools.filter(isInput) };
}

/**
 * Returns the request with the tools of the conversation that it continues, after its other tools and before its items.
 */
export function withEarlierTools(request: ChatRequest, earlier: InputTools): ChatRequest {
  const tools = joined(request.tools, earlier.tools);
  const hostedTools = joined(request.hostedTools, earlier.hostedTools);
  return { ...request, ...(tools.length > 0 && { tools }), ...(hostedTools.length > 0 && { hostedTools }) };
}

interface Sourced {
  readonly fromInput?: true;
}

/** Removes duplicates, because clients send some of the earlier tools again with each request. */
function joined<Each extends Sourced>(own: readonly Each[] = [], earlier: readonly Each[]): Each[] {
  const within = [...earlier, ...own.filter(isInput)];
  const once = new Map(within.map((tool) => [JSON.stringify(tool), tool]));
  return [...own.filter((tool) => !isInput(tool)), ...once.values()];
}

function isInput({ fromInput }: Sourced): boolean {
  return fromInput === true;
}
