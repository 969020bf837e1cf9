import { agentsForTasks, type FoundAgent } from '../../agent/customizations/found.ts';
import { toolsNamed } from '../../agent/customizations/toolNames.ts';
import type { HelperRole } from '../../agent/helperRoles.ts';
import { AGENT_PROMPT } from '../../agent/systemPrompt.ts';
import { planTools } from '../../agent/tools/planTools.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import { listOfTools, toolsOnDemand } from '../../agent/tools/toolsOnDemand.ts';
import type { ChatRequest, Tool } from '../../formats/conversation.ts';
import type { PlanItem } from '../../pages/chat/protocol.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import type { RunCommands } from './commandProcesses.ts';
import type { HelperServices } from './helperServices.ts';
import type { RunSetup } from './runSetup.ts';
import { checkCommandTool } from './tools/checkCommandTool.ts';
import { contextTools } from './tools/contextTools.ts';
import { editorTools } from './tools/editorTools.ts';
import { type EditServices, editTools } from './tools/editTools.ts';
import { helpersTool } from './tools/helpersTool.ts';
import { readTools } from './tools/readTools.ts';
import { runCommandTool } from './tools/runCommandTool.ts';
import { listOfSkills, skillTool } from './tools/skillTool.ts';

/** What the requests of a run contain besides the conversation. */
export interface Toolbox {
  /** All tools by name. */
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** The definitions that each request contains. Their order never changes during a run, because requests begin with them. */
  readonly definitions: readonly Tool[];
  /** What follows the system prompt of the chat. */
  readonly prompts: readonly string[];
}

export interface ToolboxServices extends EditServices {
  readonly commands: RunCommands;
  readonly helpers: Omit<HelperServices, 'roles'>;
  readonly setPlan: (plan: readonly PlanItem[]) => void;
}

export function toolboxOf(services: ToolboxServices, setup: RunSetup): Toolbox {
  const all = [
    ...readTools(setup),
    ...contextTools(),
    ...editTools(services),
    runCommandTool(services.commands, setup.skills),
    checkCommandTool(services.commands),
    ...planTools(services.setPlan),
    ...(setup.skills.length > 0 ? [skillTool(setup.skills)] : []),
  ];
  const foreign = editorTools(setup.chosen);
  all.push(helpersTool({ ...services.helpers, roles: rolesOf(setup, [...all, ...foreign]) }));
  const isAllowed = toolFilter(setup.agent, [...all, ...foreign]);
  const own = all.filter(isAllowed);
  const others = foreign.filter(isAllowed);
  const isOnDemand = tokensOf(others) > setup.maxToolTokens;
  // A tool of another extension cannot take the place of one of these.
  const sent = byName([...(isOnDemand ? toolsOnDemand(others) : others), ...own]);
  return {
    // A model may call a tool that it has loaded by its own name.
    tools: byName([...others, ...sent.values()]),
    definitions: [...sent.values()].map(({ definition }) => definition),
    prompts: [
      AGENT_PROMPT,
      ...(sent.has('use_skill') ? [listOfSkills(setup.skills)] : []),
      ...(isOnDemand ? [listOfTools(others)] : []),
      ...agentPrompt(setup.agent),
    ],
  };
}

/** The tokens that the definitions of tools add to each request. */
export function tokensOf(tools: readonly Pick<AgentTool, 'definition'>[]): number {
  return tools.reduce((sum, { definition }) => sum + estimateTokens(JSON.stringify(definition)), 0);
}

/**
 * Adds the tools to a request, and what the model must know about them. They are the same in every step, so that the
 * service can read them from its cache.
 * @param maxTokens the most tokens of the answer.
 */
export function requestWithTools(
  request: ChatRequest,
  { definitions, prompts }: Toolbox,
  maxTokens: number,
): ChatRequest {
  return {
    ...request,
    system: [...request.system, ...prompts.map((text) => ({ type: 'text' as const, text }))],
    tools: definitions,
    parallelToolCalls: true,
    maxTokens,
  };
}

/** The agents of files as roles of helpers. An agent may name those that it gives tasks to. */
function rolesOf({ found, agent }: RunSetup, all: readonly AgentTool[]): readonly HelperRole[] {
  const names = agent?.agent.agents;
  const offered = agentsForTasks(found).filter(({ agent: { name } }) => names?.includes(name) ?? true);
  return offered.map((one) => {
    const isAllowed = toolFilter(one, all);
    const allowed = new Set(all.filter(isAllowed).map(({ definition }) => definition.name));
    const { name, description, instructions, models } = one.agent;
    return { name, description, instructions, models, has: (tool) => allowed.has(tool) };
  });
}

/** Which tools an agent has. Reading skills goes with reading files. */
function toolFilter(found: FoundAgent | undefined, all: readonly AgentTool[]): (tool: AgentTool) => boolean {
  const names = all.map(({ definition }) => definition.name);
  const { tools = ['*'], disallowedTools = [] } = found?.agent ?? {};
  const allowed = new Set(toolsNamed(tools, names).tools);
  if (allowed.has('read_file')) allowed.add('use_skill');
  for (const name of toolsNamed(disallowedTools, names).tools) allowed.delete(name);
  return ({ definition }) => allowed.has(definition.name);
}

function agentPrompt(found: FoundAgent | undefined): readonly string[] {
  if (found === undefined || found.agent.instructions === '') return [];
  const { name, instructions } = found.agent;
  return [`The user has chosen you as the agent “${name}”. What its file says:\n\n${instructions}`];
}

function byName(tools: readonly AgentTool[]): ReadonlyMap<string, AgentTool> {
  return new Map(tools.map((tool) => [tool.definition.name, tool]));
}
