/**
 * Tools that stood among the items of a conversation, such as those that a search has found: they go on to hold in what
 * goes on from it, while those beside it hold for one answer.
 */
import type { ChatRequest } from './conversation.ts';

export type InputTools = Required<Pick<ChatRequest, 'tools' | 'hostedTools'>>;

export function inputToolsOf({ tools = [], hostedTools = [] }: ChatRequest): InputTools {
  return { tools: tools.filter(isInput), hostedTools: hostedTools.filter(isInput) };
}

/** The request with the tools of the conversation that it goes on from, behind those beside it and before its own. */
export function withEarlierTools(request: ChatRequest, earlier: InputTools): ChatRequest {
  const tools = joined(request.tools, earlier.tools);
  const hostedTools = joined(request.hostedTools, earlier.hostedTools);
  return { ...request, ...(tools.length > 0 && { tools }), ...(hostedTools.length > 0 && { hostedTools }) };
}

interface Sourced {
  readonly fromInput?: true;
}

/** Clients send some of them again with each request. */
function joined<Each extends Sourced>(own: readonly Each[] = [], earlier: readonly Each[]): Each[] {
  const within = [...earlier, ...own.filter(isInput)];
  const once = new Map(within.map((tool) => [JSON.stringify(tool), tool]));
  return [...own.filter((tool) => !isInput(tool)), ...once.values()];
}

function isInput({ fromInput }: Sourced): boolean {
  return fromInput === true;
}
