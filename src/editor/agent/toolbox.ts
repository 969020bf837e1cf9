import * as z from 'zod/mini';
import { agentCalled, agentsForTasks, type FoundAgent } from '../../agent/customizations/found.ts';
import { skillList } from '../../agent/customizations/skillList.ts';
import { toolsNamed } from '../../agent/customizations/toolNames.ts';
import type { HelperRole } from '../../agent/helperRoles.ts';
import { AGENT_PROMPT, HELPER_PROMPT } from '../../agent/systemPrompt.ts';
import { planTools } from '../../agent/tools/planTools.ts';
import { type AgentTool, defineTool, ToolError, text } from '../../agent/tools/tool.ts';
import { listOfTools, toolsOnDemand } from '../../agent/tools/toolsOnDemand.ts';
import type { ChatRequest, Tool } from '../../formats/conversation.ts';
import type { PlanItem } from '../../pages/chat/protocol.ts';
import { estimatePrompt } from '../../tokens/estimate.ts';
import { type FolderOfSkill, skillText } from '../chat/customizations/skillText.ts';
import type { RunCommands } from './commandProcesses.ts';
import type { RunSetup } from './runSetup.ts';
import { checkCommandTool } from './tools/checkCommandTool.ts';
import { contextTools } from './tools/contextTools.ts';
import { editorTools } from './tools/editorTools.ts';
import { type EditServices, editTools } from './tools/editTools.ts';
import { type HelperServices, helpersTool } from './tools/helpersTool.ts';
import { readTools } from './tools/readTools.ts';
import { runCommandTool } from './tools/runCommandTool.ts';

/** What the requests of a run contain besides the conversation. */
export interface Toolbox {
  /** All tools by name. */
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** The definitions that each request contains. Their order never changes during a run, because requests begin with them. */
  readonly definitions: readonly Tool[];
  /** What follows the system prompt of the chat. */
  readonly prompts: readonly string[];
}

/** The toolbox of a run, from which its helpers get what their roles allow. */
export interface RunToolbox extends Toolbox {
  forHelper(role: HelperRole): Toolbox;
}

export interface ToolboxServices extends EditServices {
  readonly commands: RunCommands;
  readonly helpers: Omit<HelperServices, 'roles'>;
  readonly setPlan: (plan: readonly PlanItem[]) => void;
}

export function toolboxOf(services: ToolboxServices, setup: RunSetup): RunToolbox {
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
  const isAllowed = toolFilter(setup.agent, [...all, ...foreign], setup.tools);
  const own = all.filter(isAllowed);
  const others = foreign.filter(isAllowed);
  return {
    ...toolboxWith(own, others, setup, [AGENT_PROMPT], agentPrompt(setup.agent)),
    forHelper: ({ instructions, has }) => {
      const ofRole = (tool: AgentTool) => has(tool.definition.name);
      const last = instructions === '' ? [] : [instructions];
      return toolboxWith(own.filter(ofRole), others.filter(ofRole), setup, [HELPER_PROMPT], last);
    },
  };
}

/** @param others tools of other extensions, which are loaded on demand if they are long together. */
function toolboxWith(
  own: readonly AgentTool[],
  others: readonly AgentTool[],
  { skills, maxToolTokens }: RunSetup,
  first: readonly string[],
  last: readonly string[],
): Toolbox {
  const isOnDemand = tokensOf(others) > maxToolTokens;
  // A tool of another extension cannot take the place of one of these.
  const sent = byName([...(isOnDemand ? toolsOnDemand(others) : others), ...own]);
  return {
    // A model may call a tool that it has loaded by its own name.
    tools: byName([...others, ...sent.values()]),
    definitions: [...sent.values()].map(({ definition }) => definition),
    prompts: [
      ...first,
      ...(sent.has('use_skill') ? [skillList(skills.map(({ skill }) => skill)).text] : []),
      ...(isOnDemand ? [listOfTools(others)] : []),
      ...last,
    ],
  };
}

/** The tokens that the definitions of tools add to each request, as in the meter. */
export function tokensOf(tools: readonly Pick<AgentTool, 'definition'>[]): number {
  const definitions = tools.map(({ definition }) => definition);
  return estimatePrompt({ model: '', system: [], messages: [], tools: definitions }).parts.tools ?? 0;
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
  const isNamed = (one: FoundAgent) => names?.some((name) => agentCalled([one], name) !== undefined) ?? true;
  const offered = agentsForTasks(found).filter(isNamed);
  return offered.map((one) => {
    const isAllowed = toolFilter(one, all);
    const allowed = new Set(all.filter(isAllowed).map(({ definition }) => definition.name));
    const { name, description, instructions, models } = one.agent;
    return { name, description, instructions, models, has: (tool) => allowed.has(tool) };
  });
}

/** Which tools an agent has, or those of them that a prompt names instead. Reading skills goes with reading files. */
function toolFilter(
  found: FoundAgent | undefined,
  all: readonly AgentTool[],
  ofPrompt?: readonly string[],
): (tool: AgentTool) => boolean {
  const names = all.map(({ definition }) => definition.name);
  const { tools = ['*'], disallowedTools = [] } = found?.agent ?? {};
  const allowed = new Set(toolsNamed(ofPrompt ?? tools, names).tools);
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

/** Returns the text of a skill. It allows nothing: what the text asks for is asked as usual. */
function skillTool(skills: readonly FolderOfSkill[]): AgentTool {
  const schema = z.object({ name: text('Name of the skill.') });
  return defineTool('use_skill', 'Returns the text of a skill, and the names of its files.', schema, ({ name }) => {
    const found = skills.find(({ skill }) => skill.name === name);
    if (found === undefined) {
      const known = skills.map(({ skill }) => skill.name).join(', ');
      throw new ToolError(`There is no skill ${name}. The skills are: ${known}.`);
    }
    return {
      action: { kind: 'skill', object: found.skill.name },
      run: async () => ({ text: await skillText(found) }),
    };
  });
}
