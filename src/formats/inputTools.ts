/**
 * Tools that are items of a conversation, such as those found by a tool search. They remain available in requests that
 * continue the conversation, while a request's other tools apply to one answer.
 */
import type { ChatRequest } from './conversation.ts';

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
