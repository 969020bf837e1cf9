import { AGENT_PROMPT } from '../../agent/systemPrompt.ts';
import { planTools } from '../../agent/tools/planTools.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import type { PlanItem } from '../../pages/chat/protocol.ts';
import type { RunCommands } from './commandProcesses.ts';
import { checkCommandTool } from './tools/checkCommandTool.ts';
import { contextTools } from './tools/contextTools.ts';
import { editorTools } from './tools/editorTools.ts';
import { type EditServices, editTools } from './tools/editTools.ts';
import { readTools } from './tools/readTools.ts';
import { runCommandTool } from './tools/runCommandTool.ts';

export interface ToolboxServices extends EditServices {
  readonly commands: RunCommands;
  /** The names of tools of other extensions. */
  readonly chosen: readonly string[];
  readonly setPlan: (plan: readonly PlanItem[]) => void;
}

/** The tools of a run by name. Their order never changes during a run, because they begin every request. */
export function toolboxOf(services: ToolboxServices): ReadonlyMap<string, AgentTool> {
  const own = [
    ...readTools(),
    ...contextTools(),
    ...editTools(services),
    runCommandTool(services.commands),
    checkCommandTool(services.commands),
    ...planTools(services.setPlan),
  ];
  // A tool of another extension cannot take the place of one of these.
  return new Map([...editorTools(services.chosen), ...own].map((tool) => [tool.definition.name, tool]));
}

/**
 * Adds the tools to a request, and what the model must know about them. They are the same in every step, so that the
 * service can read them from its cache.
 * @param maxTokens the most tokens of the answer.
 */
export function requestWithTools(
  request: ChatRequest,
  tools: ReadonlyMap<string, AgentTool>,
  maxTokens: number,
): ChatRequest {
  return {
    ...request,
    system: [...request.system, { type: 'text', text: AGENT_PROMPT }],
    tools: [...tools.values()].map(({ definition }) => definition),
    parallelToolCalls: true,
    maxTokens,
  };
}
