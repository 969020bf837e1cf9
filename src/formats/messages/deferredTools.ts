/** Tools that the model does not know until a search by the client has found them. */
import {
  type CountTokensRequest,
  isClientTool,
  isKnownRequestBlock,
  isKnownResultContent,
  type MessagesClientTool,
  type MessagesWireTool,
  type RequestBlock,
} from './schema.ts';

/** Searches that the service runs itself. */
const HOSTED_SEARCH = /^tool_search_tool/;

/** Servers of other formats accept no more tools. */
const MAX_TOOLS = 128;

/**
 * Returns all tools, or if they are too many, those that the model knows already: those that are not deferred, that a
 * search has found, that were called, or that must be called. All tools if only the service could search for them.
 */
export function knownTools(
  request: Pick<CountTokensRequest, 'tools' | 'tool_choice' | 'messages'>,
): readonly MessagesWireTool[] {
  const tools = request.tools ?? [];
  if (tools.length <= MAX_TOOLS) return tools;
  const isSearchedElsewhere = tools.some((tool) => HOSTED_SEARCH.test(tool.type ?? ''));
  if (isSearchedElsewhere || !tools.some(isDeferred)) return tools;
  const found = namesIn(request.messages);
  const { tool_choice: choice } = request;
  if (typeof choice === 'object' && choice !== null && 'name' in choice) found.add(String(choice.name));
  const known = tools.filter((tool) => !isDeferred(tool) || found.has(tool.name));
  return known.some(isClientTool) ? known : tools;
}

function isDeferred(tool: MessagesWireTool): tool is MessagesClientTool {
  return isClientTool(tool) && tool.defer_loading === true;
}

function namesIn(messages: CountTokensRequest['messages']): Set<string> {
  const names = new Set<string>();
  for (const { content } of messages) {
    if (typeof content !== 'object' || content === null) continue;
    for (const block of content) for (const name of namesInBlock(block)) names.add(name);
  }
  return names;
}

function namesInBlock(block: RequestBlock): readonly string[] {
  if (!isKnownRequestBlock(block)) return [];
  if (block.type === 'tool_use') return [block.name];
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return [];
  return block.content.flatMap((each) =>
    isKnownResultContent(each) && each.type === 'tool_reference' ? [each.tool_name] : [],
  );
}
