/** Servers that accept fewer tools than others, and shorter or plainer names and descriptions. */
import { isRecord, type JsonRecord } from '../json.ts';
import { withDigest } from '../shortIds.ts';
import { lowest, type Problem, type Simplification, withConversation } from './simplification.ts';

/** Limits of servers that do not say theirs, largest first. */
const USUAL_COUNTS = [128, 64, 32, 16] as const;
const USUAL_NAMES = [48, 32, 24] as const;
const USUAL_DESCRIPTIONS = [1024, 512] as const;

/** What translation sends. */
const MAX_NAME = 64;
/** In less, two names could become the same. */
const MIN_NAME = 16;
const MIN_DESCRIPTION = 64;

const OF_TOOLS = /\b(?:tools?|functions?(?:_declarations?)?|toolConfig)\b|工具|函数/i;
const OF_NAMES =
  /(?:tools?|functions?)\b[^\n]{0,60}\bnames?\b|\bnames?\b[^\n]{0,40}(?:tools?|functions?)\b|(?:工具|函数)名/i;
const OF_DESCRIPTIONS = /(?:tools?|functions?)\b[^\n]{0,60}\bdescriptions?\b|(?:工具|函数)(?:的)?描述/i;
/** Limits of something within a tool. */
const OF_SCHEMA = /schema|parameters?\b|propert|recurs|depth|nest|\benum\b|pattern/i;
const TOO_MANY =
  /too (?:many|long|large)|at most|maximum|max[_ ]|exceed|limit|up to|more than|fewer|less than|above|过多|超过|超出|最多|上限|不能大于/i;
const TOO_LONG =
  /too (?:long|large|big)|at most|maximum|max[_ ]|exceed|limit|length|characters|过长|超过|超出|最多|不能大于/i;
/** After a length of names: only letters, digits, and underscores are accepted. */
const WORDS = 'w';
/** The pattern of such names, or its description. */
const ONLY_WORDS =
  /\^\[(?:a-z|A-Z|0-9|_|\\w)+\](?:\[(?:a-z|A-Z|0-9|_|\\w)+\])?[*+{]|(?:letters|alphanumeric)\b[^.\n]{0,40}underscores?(?![^.\n]{0,30}(?:dash|hyphen))|(?:字母|数字)[^。\n]{0,12}下划线(?![^。\n]{0,8}(?:连字符|横线|短横))/i;

/** Places in the request, whose numbers are no limits. */
const PLACES = /\[\d*\]|(?:tools?|functions?|member)[._]?\d+|\.\d+(?=\.)/gi;

export const TOOL_LIMITS: readonly Simplification[] = [
  {
    name: 'tools.name',
    weight: 'rest',
    isDeep: true,
    argumentIn: (problem, body) => wordLengthIn(problem) ?? nameLengthIn(problem, body),
    guess: () => `${MAX_NAME}${WORDS}`,
    merged: (lengths) => lowest(lengths) + (lengths.some((each) => each.endsWith(WORDS)) ? WORDS : ''),
    apply: (body, length) => withNames(body, (name) => accepted(name, length)),
  },
  {
    name: 'tools.description',
    weight: 'rest',
    isOnlyAsked: true,
    isDeep: true,
    lost: 'tools.description',
    argumentIn: descriptionLengthIn,
    merged: lowest,
    apply: (body, argument) => withDescriptions(body, Number(argument)),
  },
  {
    name: 'tools.count',
    weight: 'rest',
    isDeep: true,
    lost: 'tools',
    argumentIn: countIn,
    merged: lowest,
    guess: (body) => (toolsOf(body).length > USUAL_COUNTS[0] ? String(USUAL_COUNTS[0]) : undefined),
    apply: (body, argument) => withFewer(body, Number(argument)),
  },
];

function toolsOf({ tools }: JsonRecord): readonly JsonRecord[] {
  return Array.isArray(tools) ? tools.filter(isRecord) : [];
}

/** The part of a tool that has its name: the tool itself, or its function in chat completions. */
function definitionOf(tool: JsonRecord): JsonRecord {
  return isRecord(tool.function) ? tool.function : tool;
}

function nameOf(tool: JsonRecord): string {
  const { name } = definitionOf(tool);
  return typeof name === 'string' ? name : '';
}

/**
 * Returns the largest number in the words that is below the current value, and otherwise a usual limit below it.
 * @param isCertain whether the words can only mean this limit, so that they need not name it.
 */
function limitIn(
  { sentence }: Problem,
  current: number,
  {
    least,
    usual,
    isCertain,
  }: { readonly least: number; readonly usual: readonly number[]; readonly isCertain: boolean },
): string | undefined {
  const numbers = (sentence.replace(PLACES, ' ').match(/\d+/g) ?? []).map(Number);
  const named = numbers.filter((number) => number < current && number >= least);
  if (named.length > 0) return String(Math.max(...named));
  const below = usual.find((each) => each < current);
  return isCertain && below !== undefined ? String(below) : undefined;
}

/** @returns the length in a pattern such as `^[a-z_]{1,40}$`, or the usual one. */
function wordLengthIn({ text, path = '' }: Problem): string | undefined {
  if (!OF_NAMES.test(`${path} ${text}`) || !ONLY_WORDS.test(text)) return undefined;
  const most = Number(/\{\d+,(\d+)\}/.exec(text)?.[1] ?? MAX_NAME);
  return `${Math.min(MAX_NAME, Math.max(MIN_NAME, most))}${WORDS}`;
}

function nameLengthIn(problem: Problem, body: JsonRecord): string | undefined {
  const { text, path = '' } = problem;
  const names = toolsOf(body).map(nameOf);
  const longest = Math.max(0, ...names.map(({ length }) => length));
  const isQuoted = !OF_SCHEMA.test(text) && names.some((name) => name.length > MIN_NAME && text.includes(name));
  // In any language, a refusal that quotes a name beside a lower number speaks of its length.
  if (!isQuoted && !(OF_NAMES.test(`${path} ${text}`) && TOO_LONG.test(text))) return undefined;
  return limitIn(problem, longest, { least: MIN_NAME, usual: USUAL_NAMES, isCertain: /too long|过长/i.test(text) });
}

function descriptionLengthIn(problem: Problem, body: JsonRecord): string | undefined {
  const { text, path = '' } = problem;
  if (!OF_DESCRIPTIONS.test(`${path} ${text}`) || !TOO_LONG.test(text)) return undefined;
  const longest = Math.max(0, ...toolsOf(body).map((tool) => String(definitionOf(tool).description ?? '').length));
  const isCertain = /too long|过长/i.test(text);
  return limitIn(problem, longest, { least: MIN_DESCRIPTION, usual: USUAL_DESCRIPTIONS, isCertain });
}

function countIn(problem: Problem, body: JsonRecord): string | undefined {
  const { text, path = '' } = problem;
  const count = toolsOf(body).length;
  const isOfOthers = OF_NAMES.test(text) || OF_DESCRIPTIONS.test(text) || OF_SCHEMA.test(text);
  const isOfTools = OF_TOOLS.test(`${path} ${text}`) && !isOfOthers;
  // In any language, a refusal that names the number of tools speaks of it.
  const isNamed = count > 1 && new RegExp(`(?<!\\d)${count}(?!\\d)`).test(problem.sentence);
  if (!isOfTools || !(TOO_MANY.test(text) || isNamed)) return undefined;
  const isCertain = /too many|过多/i.test(text);
  return limitIn(problem, count, { least: 1, usual: USUAL_COUNTS, isCertain });
}

/**
 * Returns a name in the accepted length, and of letters, digits, and underscores if only these are accepted. A changed
 * name ends with the digest of the whole one, by which the answer's calls are recognized.
 */
function accepted(name: string, length: string): string {
  const similar = length.endsWith(WORDS) ? name.replace(/\W/g, '_') : name;
  const most = Number.parseInt(length, 10);
  return similar !== name || name.length > most ? withDigest(similar, name, most) : name;
}

function withNames(body: JsonRecord, rename: (name: string) => string): JsonRecord | undefined {
  if (toolsOf(body).every((tool) => rename(nameOf(tool)) === nameOf(tool))) return undefined;
  const renamed = (value: unknown) => (isRecord(value) ? renamedIn(value, rename) : value);
  const { tools, tool_choice: choice } = body;
  const changed = { ...body, tools: (tools as readonly unknown[]).map(renamed) };
  const called = withConversation(changed, (messages) => messages.map((each) => withCalls(each, renamed))) ?? changed;
  return isRecord(choice) ? { ...called, tool_choice: renamed(choice) } : called;
}

function renamedIn(holder: JsonRecord, rename: (name: string) => string): JsonRecord {
  const inner = isRecord(holder.function) ? { ...holder, function: renamedIn(holder.function, rename) } : holder;
  return typeof holder.name === 'string' ? { ...inner, name: rename(holder.name) } : inner;
}

const CALLS: ReadonlySet<unknown> = new Set(['tool_use', 'function_call', 'custom_tool_call']);

/** Applies a change to each call of a message, which each format has in another place. */
function withCalls(message: unknown, change: (call: unknown) => unknown): unknown {
  if (!isRecord(message)) return message;
  if (CALLS.has(message.type)) return change(message);
  const { tool_calls: calls, content } = message;
  if (Array.isArray(calls)) return { ...message, tool_calls: calls.map(change) };
  if (!Array.isArray(content) || !content.some(isCall)) return message;
  return { ...message, content: content.map((part: unknown) => (isCall(part) ? change(part) : part)) };
}

function isCall(part: unknown): part is JsonRecord {
  return isRecord(part) && CALLS.has(part.type);
}

function withDescriptions(body: JsonRecord, length: number): JsonRecord | undefined {
  let isChanged = false;
  const shorter = (definition: JsonRecord): JsonRecord => {
    const { description } = definition;
    if (typeof description !== 'string' || description.length <= length) return definition;
    isChanged = true;
    return {
      ...definition,
      description: `${description
        .slice(0, length - 1)
        .toWellFormed()
        .trimEnd()}…`,
    };
  };
  const tools = toolsOf(body).map((tool) =>
    isRecord(tool.function) ? { ...tool, function: shorter(tool.function) } : shorter(tool),
  );
  return isChanged ? { ...body, tools } : undefined;
}

/** Leaves out the last tools that the conversation has not used and that need not be used. */
function withFewer(body: JsonRecord, count: number): JsonRecord | undefined {
  const tools = toolsOf(body);
  if (tools.length <= count) return undefined;
  const used = new Set<string>();
  const note = (call: unknown) => {
    if (isRecord(call)) used.add(nameOf(call));
    return call;
  };
  withConversation(body, (messages) => messages.map((message) => withCalls(message, note)));
  note(body.tool_choice);
  // A tool of the service has no name of its own, and a request for several tools names them elsewhere.
  const isNeeded = (tool: JsonRecord) => nameOf(tool) === '' || used.has(nameOf(tool)) || isAllowed(body, tool);
  const spare = count - tools.filter(isNeeded).length;
  if (spare < 0) return undefined;
  const kept = new Set(tools.filter((tool) => !isNeeded(tool)).slice(0, spare));
  return { ...body, tools: tools.filter((tool) => isNeeded(tool) || kept.has(tool)) };
}

/** Whether the request limits the choice to some tools, and this is one of them. */
function isAllowed({ tool_choice: choice }: JsonRecord, tool: JsonRecord): boolean {
  if (!isRecord(choice)) return false;
  const { tools } = isRecord(choice.allowed_tools) ? choice.allowed_tools : choice;
  return Array.isArray(tools) && tools.some((each) => isRecord(each) && nameOf(each) === nameOf(tool));
}
