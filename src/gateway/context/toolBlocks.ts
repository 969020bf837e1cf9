import type { Tool } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import type { ModelFamily } from '../../tokens/modelFamily.ts';
import { toolAsJson, toolsAsTypes } from '../../tokens/toolText.ts';
import { type Block, checksum } from './block.ts';
import { namedTool } from './partNames.ts';
import type { TextTally } from './textTally.ts';

/** Tokens that frame a definition, and those of the namespace around one that is written alone. */
const PER_TOOL = 8;
const NAMESPACE = 'namespace functions {\n\n\n} // namespace functions';

export function toolBlocks(tools: readonly unknown[], family: ModelFamily, tally: TextTally): Block[] {
  return tools.flatMap((tool) => (isRecord(tool) ? blocksOf(tool, undefined, family, tally) : []));
}

function blocksOf(
  tool: JsonRecord,
  namespace: string | undefined,
  family: ModelFamily,
  tally: TextTally,
): readonly Block[] {
  if (tool.type === 'namespace' && Array.isArray(tool.tools)) {
    const own = typeof tool.name === 'string' ? tool.name : undefined;
    return tool.tools.flatMap((each) => (isRecord(each) ? blocksOf(each, own, family, tally) : []));
  }
  const definition = definitionOf(tool);
  const label = typeof tool.server_label === 'string' ? tool.server_label : undefined;
  const type = typeof tool.type === 'string' ? tool.type : 'tool';
  const text = definition === undefined ? JSON.stringify(tool) : textOf(definition, family);
  const named = namedTool(definition?.name ?? type, namespace ?? label);
  // Whether a tool that the upstream runs was called does not always show.
  const kind = definition === undefined && label === undefined ? 'other' : 'tools';
  const framing = definition !== undefined && family.toolsAre === 'types' ? 0 : PER_TOOL;
  const tokens = tally.tokensOf(text, 'tools') * (family.isPublic ? 1 : family.factor) + framing;
  const isDeferred = [tool, tool.function].some((each) => isRecord(each) && each.defer_loading === true);
  return [{ part: { kind, ...named, ...(isDeferred && { isDeferred }) }, tokens, hash: checksum(text) }];
}

/** The definition is in the tool, or in `function` or `custom` of it. */
function definitionOf(tool: JsonRecord): Tool | undefined {
  const inner = [tool.function, tool.custom, tool].find((each) => isRecord(each) && typeof each.name === 'string');
  if (!isRecord(inner)) return undefined;
  const { name, description, parameters, input_schema: schema, format, grammar } = inner;
  const [shape] = [parameters, schema].filter(isRecord);
  const [rules] = [grammar, format].filter(isRecord);
  return {
    name: String(name),
    ...(typeof description === 'string' && { description }),
    ...(shape !== undefined && { parameters: shape as NonNullable<Tool['parameters']> }),
    ...(rules !== undefined && { grammar: rules as NonNullable<Tool['grammar']> }),
  };
}

function textOf(tool: Tool, { toolsAre }: ModelFamily): string {
  if (toolsAre === 'json') return toolAsJson(tool);
  const text = toolsAsTypes([tool]);
  const start = NAMESPACE.indexOf('\n\n') + 2;
  return text.slice(start, text.lastIndexOf('\n}'));
}
