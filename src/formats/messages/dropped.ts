/** What is dropped between the messages format and the neutral form in a request. */

import type { ChatResponse } from '../answer.ts';
import type { ChatRequest, ReasoningPart, Tool } from '../conversation.ts';
import {
  CITATIONS,
  hasCitedOthers,
  hasImages,
  hasLogProbs,
  IMAGES,
  LOG_PROBS,
  namesOf,
  namesWhere,
  otherMembers,
  otherMembersOf,
  otherTypes,
  somePart,
} from '../dropped.ts';
import { isForeignPart } from '../foreignParts.ts';
import { isOtherAtTop } from '../objectSchema.ts';
import { isChangedIfStrict } from './outputSchema.ts';
import { BILLING_NOTE, hasBillingNote } from './prompt.ts';
import {
  clientTool,
  isClientTool,
  isKnownOutputFormat,
  isKnownRequestBlock,
  isKnownResultContent,
  isKnownThinking,
  type KnownRequestBlock,
  type MessagesRequest,
  type MessagesWireMessage,
  messagesRequest,
  type ResultContent,
} from './schema.ts';
import { isRedacted } from './thinking.ts';
import { asksThinking, hasThinking, thinkingBudget } from './thinkingConfig.ts';
import { isReadChoice } from './tools.ts';

const READ: ReadonlySet<string> = new Set(Object.keys(messagesRequest.shape));
/** Does not affect the result: arguments arrive as the upstream sends them. */
const NOT_MISSED_OF_TOOL = ['eager_input_streaming'];
const READ_OF_TOOL: ReadonlySet<string> = new Set([...Object.keys(clientTool.shape), ...NOT_MISSED_OF_TOOL]);

const READ_OF_MESSAGE: ReadonlySet<string> = new Set(['role', 'content']);
/** `caller` names the tool of the service that has called another one, which has its own block. */
const NOT_MISSED_OF_BLOCK = ['caller'];
/** The names that are read in blocks of some type. They have no other meaning in blocks of another type. */
const READ_OF_BLOCK: ReadonlySet<string> = new Set([
  ...['type', 'text', 'cache_control', 'source', 'title', 'content', 'id', 'name', 'input'],
  ...['tool_use_id', 'is_error', 'thinking', 'signature', 'data', 'citations', 'context'],
  ...NOT_MISSED_OF_BLOCK,
]);
const OPTIONS = [
  ['thinking', new Set(['type', 'budget_tokens', 'display'])],
  ['output_config', new Set(['effort', 'format'])],
  ['metadata', new Set(['user_id'])],
] as const satisfies readonly (readonly [keyof MessagesRequest, ReadonlySet<string>])[];

/** The types of blocks that are read in a message of each role. */
const PLACES: Readonly<Record<MessagesWireMessage['role'], ReadonlySet<string>>> = {
  user: new Set(['text', 'image', 'document', 'search_result', 'tool_result']),
  assistant: new Set(['text', 'thinking', 'redacted_thinking', 'tool_use', 'compaction']),
  system: new Set(['text']),
};

function droppedFromOptions(wire: MessagesRequest): string[] {
  const names: string[] = [];
  for (const [name, read] of OPTIONS) {
    const option = wire[name];
    if (option) names.push(...otherMembers(option, read).map((member) => `${name}.${member}`));
  }
  return names;
}

/** The name reported for an unsupported request member if the request continues a thread. */
export const CONTINUED_THREAD = 'previous_message_id';

/** Returns the names of members that the neutral form does not support. */
export function droppedFromWire(wire: MessagesRequest): string[] {
  const { thinking, output_config: output, tool_choice: choice, thread, system } = wire;
  return [
    ...otherMembers(wire, READ),
    ...wire.messages.flatMap(droppedFromMessage),
    ...(Array.isArray(system) ? otherMembersOf(system, READ_OF_BLOCK) : []),
    ...(thinking || output || wire.metadata ? droppedFromOptions(wire) : []),
    ...(wire.tools ?? []).filter(isClientTool).flatMap((tool) => otherMembers(tool, READ_OF_TOOL)),
    ...namesWhere({
      thinking: Boolean(thinking && !isKnownThinking(thinking)),
      effort: thinking?.type === 'disabled' && Boolean(output?.effort),
      output_format: Boolean(output?.format && !isKnownOutputFormat(output.format)),
      tool_choice: Boolean(choice && !isReadChoice(choice)),
      [BILLING_NOTE]: hasBillingNote(wire.system),
      thread: Boolean(thread && thread.type !== 'continue'),
      [CONTINUED_THREAD]: thread?.type === 'continue',
    }),
  ];
}

function droppedFromMessage(message: MessagesWireMessage): string[] {
  const { role, content } = message;
  const names: string[] = [];
  for (const name in message) if (!READ_OF_MESSAGE.has(name)) names.push(name);
  if (!Array.isArray(content)) return names;
  const fromBlocks = content.flatMap((block) => {
    if (!isKnownRequestBlock(block)) return isForeignPart(block) ? [] : [block.type];
    // A message of this role cannot have such a block. Its role tells it from a part that must not be lost.
    return PLACES[role].has(block.type) ? droppedFromBlock(block) : [`${role}.${block.type}`];
  });
  return [...names, ...fromBlocks];
}

function droppedFromBlock(block: KnownRequestBlock): string[] {
  return [...otherMembers(block, READ_OF_BLOCK), ...droppedFromContent(block)];
}

function droppedFromContent(block: KnownRequestBlock): string[] {
  if (block.type === 'document') return droppedFromDocument(block);
  if (block.type === 'text') return isCited(block) ? [CITATIONS] : [];
  if (block.type === 'search_result') return block.content.some(isCited) ? [CITATIONS] : [];
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return [];
  const contents: ResultContent[] = block.content;
  return otherTypes(contents, isKnownResultContent);
}

function isCited(text: { readonly [member: string]: unknown }): boolean {
  return Array.isArray(text.citations) && text.citations.length > 0;
}

const ABOUT_DOCUMENTS = ['citations', 'context'];

function droppedFromDocument(block: object): string[] {
  const members = otherMembers(block, new Set());
  return ABOUT_DOCUMENTS.filter((name) => members.includes(name));
}

const TIERS: ReadonlySet<string> = new Set(['auto', 'default']);

/** Returns the names of members that this format does not support. */
export function droppedFromRequest(request: ChatRequest): string[] {
  const { logProbs, serviceTier, stopSequences = [], store, tools = [], truncation } = request;
  return [
    ...namesOf(request, ['frequencyPenalty', 'presencePenalty', 'seed', 'verbosity', 'metadata', 'promptCacheKey']),
    ...namesWhere({
      [LOG_PROBS]: logProbs !== undefined,
      stop: stopSequences.some((sequence) => sequence.trim() === ''),
      service_tier: serviceTier !== undefined && !TIERS.has(serviceTier),
      store: store === true,
      truncation: truncation !== undefined && truncation !== 'disabled',
      detail: somePart(request, (part) => part.type === 'image' && (part.detail ?? 'auto') !== 'auto'),
      reasoning: somePart(request, (part) => part.type === 'reasoning' && isForeign(part)),
      ...droppedForThinking(request),
      response_format:
        request.responseFormat?.type === 'jsonSchema' && isChangedIfStrict(request.responseFormat.schema),
      input_schema: tools.some(isSchemaChanged),
      grammar: tools.some((tool: Tool) => tool.grammar !== undefined),
    }),
  ];
}

function isSchemaChanged({ strict, parameters = {} }: Tool): boolean {
  return (strict === true && isChangedIfStrict(parameters)) || isOtherAtTop(parameters);
}

/** Thinking and sampling parameters exclude each other, and some requests exclude thinking. */
function droppedForThinking(request: ChatRequest): Record<string, boolean> {
  const { temperature, topP, topK } = request;
  const isThinking = hasThinking(request);
  return {
    thinking: !isThinking && asksThinking(request),
    budget_tokens: isThinking && request.reasoning?.budgetTokens !== thinkingBudget(request),
    temperature: isThinking && temperature !== undefined && temperature !== 1,
    top_p: isThinking && topP !== undefined,
    top_k: isThinking && topK !== undefined,
  };
}

/** Whether reasoning has no signature of this format's service. */
function isForeign(part: ReasoningPart): boolean {
  return part.signature === undefined && !isRedacted(part);
}

/** Returns the names of an answer's members that this format does not support. */
export function droppedFromAnswer(response: ChatResponse): string[] {
  return namesWhere({
    [CITATIONS]: hasCitedOthers(response),
    [LOG_PROBS]: hasLogProbs(response),
    [IMAGES]: hasImages(response),
  });
}
