/**
 * Tools whose definitions would make each request long. The model knows their names and the first line of what they do, and
 * asks for the definitions that it needs. They come as results, so that each request begins like the one before, which the
 * service has in its cache.
 */
import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import { type AgentTool, ToolError } from './tool.ts';

const LOAD = 'load_tools';
const CALL = 'call_tool';
const MAX_LINE = 120;

/** The two tools that stand for these. */
export function toolsOnDemand(tools: readonly AgentTool[]): readonly AgentTool[] {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return [loadTool(byName), callTool(byName)];
}

/** What the model knows of the tools before it has loaded any. */
export function listOfTools(tools: readonly Pick<AgentTool, 'definition'>[]): string {
  const lines = tools.map(({ definition: { name, description = '' } }) => `- ${name}: ${firstLine(description)}`);
  return `More tools. Get the definitions of those that you need with ${LOAD}, and call them with ${CALL}:\n${lines.join('\n')}`;
}

function loadTool(tools: ReadonlyMap<string, AgentTool>): AgentTool {
  return {
    definition: {
      name: LOAD,
      description: 'Returns the definitions of tools of the list.',
      parameters: {
        type: 'object',
        properties: { names: { type: 'array', items: { type: 'string' }, description: 'Names of the tools.' } },
        required: ['names'],
        additionalProperties: false,
      },
    },
    prepare: async (args) => {
      const names = namesIn(args);
      const found = names.map((name) => toolNamed(tools, name));
      return {
        action: { kind: 'load', object: names.join(', ') },
        run: async () => ({ text: found.map(({ definition }) => JSON.stringify(definition)).join('\n') }),
      };
    },
  };
}

function callTool(tools: ReadonlyMap<string, AgentTool>): AgentTool {
  return {
    definition: {
      name: CALL,
      description: `Calls a tool of the list, whose definition ${LOAD} returns.`,
      parameters: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'Name of the tool.' },
          arguments: { type: 'object', description: 'Its arguments, as its definition describes them.' },
        },
        required: ['name', 'arguments'],
        additionalProperties: false,
      },
    },
    prepare: async (args) => {
      const { name, arguments: given = {} } = recordOf(args);
      if (typeof name !== 'string') throw new ToolError(`“name” must be the name of a tool. ${known(tools)}`);
      return toolNamed(tools, name).prepare(typeof given === 'string' ? parseJson(given) : given);
    },
  };
}

/** A single name may be written as a text, or as JSON in a text. */
function namesIn(args: unknown): readonly string[] {
  const { names } = recordOf(args);
  const read = typeof names === 'string' ? (parseJson(names) ?? [names]) : names;
  const list = Array.isArray(read) ? read : [read];
  if (list.length > 0 && list.every((name) => typeof name === 'string')) return [...new Set(list)];
  throw new ToolError('“names” must be a list of names, such as {"names": ["a"]}.');
}

function recordOf(args: unknown): JsonRecord {
  const value = typeof args === 'string' ? parseJson(args) : args;
  if (isRecord(value)) return value;
  throw new ToolError('The arguments must be a JSON object.');
}

function toolNamed(tools: ReadonlyMap<string, AgentTool>, name: string): AgentTool {
  const tool = tools.get(name);
  if (tool === undefined) throw new ToolError(`There is no tool ${name}. ${known(tools)}`);
  return tool;
}

function known(tools: ReadonlyMap<string, AgentTool>): string {
  return `The tools are: ${[...tools.keys()].join(', ')}.`;
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE - 1)}…`;
}
