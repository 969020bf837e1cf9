import * as fc from 'fast-check';
import type {
  AssistantMessage,
  AssistantPart,
  ChatRequest,
  Message,
  Tool,
  ToolCallPart,
  ToolChoice,
  ToolMessage,
  ToolResultPart,
} from '../../../src/formats/conversation.ts';
import type { Carried } from './carried.ts';
import { assistantParts, cacheHint, documentPart, imagePart, textPart, userPart } from './parts.ts';
import { jsonSchema, plain, some, text, word } from './values.ts';

// ------------------------------------------------------------------------------------------------------- messages

function toolResult(carried: Carried, call: ToolCallPart): fc.Arbitrary<ToolResultPart> {
  const inside = { ...carried, cacheHints: false };
  const choices = {
    text: fc.record({ type: fc.constant('text' as const), text }),
    image: imagePart(inside),
    document: documentPart(inside),
  };
  const result = some(
    {
      type: fc.constant('toolResult' as const),
      toolCallId: fc.constant(call.id),
      content: fc.array(fc.oneof(...carried.resultParts.map((kind) => choices[kind])), { minLength: 1, maxLength: 3 }),
    },
    {
      isError: carried.resultErrors && fc.boolean(),
      itemId: carried.itemIds && fc.constant(`fco_${call.id}`),
      cacheHint: cacheHint(carried),
    },
  );
  return call.freeForm === true ? result.map((made) => ({ ...made, freeForm: true })) : result;
}

/** An answer and, if it called tools, their results in any order. */
function assistantTurn(carried: Carried): fc.Arbitrary<Message[]> {
  return assistantParts(carried).chain((parts) => {
    const answer: AssistantMessage = { role: 'assistant', parts };
    const calls = parts.filter((part) => part.type === 'toolCall');
    if (calls.length === 0) return fc.constant<Message[]>([answer]);
    const results = fc
      .tuple(...calls.map((call) => toolResult(carried, call)))
      .chain((made) => fc.shuffledSubarray(made, { minLength: made.length }));
    return results.map((made): Message[] => [answer, { role: 'tool', parts: made } satisfies ToolMessage]);
  });
}

/**
 * Messages as clients send them: the first is a user's, several of one role may follow each other, and results follow
 * calls.
 */
function conversation(carried: Carried): fc.Arbitrary<Message[]> {
  const user = fc.record({
    role: fc.constant('user' as const),
    parts: fc.array(userPart(carried), { minLength: 1, maxLength: 3 }),
  });
  const system = fc.record({
    role: fc.constant('system' as const),
    parts: fc.tuple(textPart(carried)),
  });
  const aside: fc.Arbitrary<Message>[] = carried.systemMessages ? [user, system] : [user];
  const turn = fc.tuple(assistantTurn(carried), fc.array(fc.oneof(...aside), { minLength: 1, maxLength: 2 }));
  return fc
    .tuple(user, fc.array(turn, { maxLength: 3 }))
    .map(([first, turns]) => numberCalls([first, ...turns.flat(2)]));
}

/**
 * Appends the position of the answer to its IDs and those of its results, so that IDs are unique in the conversation.
 */
function numberCalls(messages: Message[]): Message[] {
  return messages.map((message, place) => {
    if (message.role === 'assistant') return { ...message, parts: message.parts.map((part) => numbered(part, place)) };
    if (message.role !== 'tool') return message;
    const parts = message.parts.map((part) =>
      numbered({ ...part, toolCallId: `${part.toolCallId}_${place - 1}` }, place),
    );
    return { ...message, parts };
  });
}

function numbered<Part extends AssistantPart | ToolResultPart>(part: Part, place: number): Part {
  return {
    ...part,
    ...('id' in part && { id: `${part.id}_${place}` }),
    ...('itemId' in part && { itemId: `${part.itemId}_${place}` }),
  };
}

// -------------------------------------------------------------------------------------------------------- request

function tool(carried: Carried): fc.Arbitrary<Tool> {
  const extra = { description: text, namespace: carried.namespaces && word, cacheHint: cacheHint(carried) };
  const functionTool = some(
    { name: word, parameters: jsonSchema },
    { ...extra, strict: carried.strictTools && fc.boolean() },
  );
  return carried.freeFormTools
    ? fc.oneof(functionTool, some({ name: word, freeForm: fc.constant(true as const) }, extra))
    : functionTool;
}

function toolChoice(carried: Carried, names: readonly string[]): fc.Arbitrary<ToolChoice> {
  const of = (type: ToolChoice['type']): fc.Arbitrary<ToolChoice> => {
    if (type === 'tool') return fc.record({ type: fc.constant(type), name: fc.constantFrom(...names) });
    if (type !== 'allowed') return fc.constant({ type });
    return fc.record({
      type: fc.constant(type),
      mode: fc.constantFrom('auto' as const, 'required' as const),
      names: fc.subarray([...names], { minLength: 1 }),
    });
  };
  return fc.oneof(...carried.toolChoices.map(of));
}

type Tooling = Pick<ChatRequest, 'tools' | 'toolChoice'>;

/** Tools with distinct names in the order of the wire format, and a tool choice only with tools. */
function tooling(carried: Carried): fc.Arbitrary<Tooling> {
  const tools = fc.uniqueArray(tool(carried), { selector: ({ name }) => name, minLength: 1, maxLength: 3 });
  const withTools = tools.chain((made) => {
    const names = made.map(({ name }) => name);
    return some({ tools: fc.constant(made) }, { toolChoice: toolChoice(carried, names) });
  });
  return fc.oneof(fc.constant<Tooling>({}), withTools);
}

/** Any request that the format supports completely. `parallelToolCalls` only occurs with tools. */
export function chatRequest(carried: Carried): fc.Arbitrary<ChatRequest> {
  const head = { model: word, system: fc.array(textPart(carried), { maxLength: 3 }), messages: conversation(carried) };
  const whole = some<Pick<ChatRequest, keyof typeof head>, Omit<ChatRequest, keyof typeof head>>(head, carried.members);
  const request = fc.tuple(whole, tooling(carried)).map(([made, tools]) => {
    if (tools.tools !== undefined) return { ...made, ...tools };
    const { parallelToolCalls: _, ...rest } = made;
    return rest;
  });
  return plain(request);
}
