import * as vscode from 'vscode';
import { cutMiddle } from '../../../agent/cutText.ts';
import { type AgentTool, ToolError } from '../../../agent/tools/tool.ts';
import type { JsonObject } from '../../../formats/json.ts';
import { contentOfResult } from './resultContent.ts';

/** The names that every format accepts. */
const USABLE_NAME = /^[\w-]{1,64}$/;

/** Tools of other extensions and MCP servers that the editor knows, by name. */
export function knownTools(): readonly vscode.LanguageModelToolInformation[] {
  return vscode.lm.tools.filter(({ name }) => USABLE_NAME.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The chosen tools that exist. Each asks before its first use, since nothing is known about what it does. */
export function editorTools(chosen: readonly string[]): AgentTool[] {
  return knownTools()
    .filter(({ name }) => chosen.includes(name))
    .map(toAgentTool);
}

function toAgentTool(tool: vscode.LanguageModelToolInformation): AgentTool {
  const { name } = tool;
  return {
    definition: definitionOf(tool),
    prepare: async (args) => ({
      action: { kind: 'tool', object: name },
      need: { kind: 'tool', subject: name, input: JSON.stringify(inputOf(args), undefined, 2) },
      run: async ({ signal }) => {
        const cancellation = new vscode.CancellationTokenSource();
        const cancel = () => cancellation.cancel();
        signal.addEventListener('abort', cancel);
        try {
          const input = inputOf(args);
          const { content } = await vscode.lm.invokeTool(
            name,
            { input, toolInvocationToken: undefined },
            cancellation.token,
          );
          const { text, images } = contentOfResult(content);
          return { text: cutMiddle(text, 'Request less from the tool.'), images, source: { name, isFile: false } };
        } finally {
          signal.removeEventListener('abort', cancel);
          cancellation.dispose();
        }
      },
    }),
  };
}

function inputOf(args: unknown): object {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new ToolError('The arguments must be a JSON object.');
  }
  return args;
}

/** What the model reads about a tool in every request. */
export function definitionOf({ name, description, inputSchema }: vscode.LanguageModelToolInformation) {
  return { name, description, parameters: (inputSchema ?? { type: 'object', properties: {} }) as JsonObject };
}
