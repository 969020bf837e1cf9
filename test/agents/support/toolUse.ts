/** Calls the tools of coding agents, which differ in names and arguments. */
import type { OfferedTool } from '../../support/modelServer/askedConversation.ts';

export type Step =
  | { readonly file: string; readonly content: string }
  | { readonly command: string }
  /** A tool of an MCP server, by the end of its name. If it is not in the request, it is searched for. */
  | { readonly tool: string; readonly values: Readonly<Record<string, string>> };

interface ToolUse {
  readonly name: string;
  readonly arguments: string;
}

/** @throws Error if none of the tools can perform the step. */
export function toolCall(step: Step, tools: readonly OfferedTool[]): ToolUse {
  const use = useFor(step, tools);
  if (use !== undefined) return use;
  throw new Error(`No tool can do this step. Offered are: ${tools.map(({ name }) => name).join(', ')}`);
}

export function isSearch(tool: string): boolean {
  return /^tool_?search$/i.test(tool);
}

function useFor(step: Step, tools: readonly OfferedTool[]): ToolUse | undefined {
  if ('file' in step) return writing(step, tools) ?? running(writeCommand(step), tools);
  if ('command' in step) return running(step.command, tools);
  const tool = tools.find(({ name }) => name.endsWith(step.tool));
  if (tool !== undefined) return useOf(tool.name, step.values);
  const search = tools.find(({ name }) => isSearch(name));
  return search && useOf(search.name, { query: step.tool });
}

function writing({ file, content }: Extract<Step, { file: string }>, tools: readonly OfferedTool[]) {
  for (const { name, parameters } of tools) {
    if (/apply_patch$/.test(name) && parameters.includes('input')) {
      const lines = content.trimEnd().split('\n');
      return useOf(name, { input: `*** Begin Patch\n*** Add File: ${file}\n+${lines.join('\n+')}\n*** End Patch` });
    }
    const path = parameters.find((parameter) => /^file_?path$/i.test(parameter));
    if (/write$/i.test(name) && path !== undefined) return useOf(name, { [path]: file, content });
  }
  return undefined;
}

function running(command: string, tools: readonly OfferedTool[]): ToolUse | undefined {
  for (const { name, parameters, description } of tools) {
    if (parameters.includes('cmd')) return useOf(name, { cmd: command });
    if (/bash$/i.test(name)) return useOf(name, { command, description: 'Does a step of the task' });
    if (/exec$/.test(name) && description.includes('JavaScript')) {
      const cmd = JSON.stringify(command);
      return useOf(name, { input: `const { output } = await tools.exec_command({ cmd: ${cmd} });\ntext(output);\n` });
    }
  }
  return undefined;
}

/** Returns a command that works in all shells: no nested quotes, no line breaks. */
function writeCommand({ file, content }: Extract<Step, { file: string }>): string {
  const bytes = Buffer.from(content).toString('base64');
  return `node -e "fs.writeFileSync('${file}', Buffer.from('${bytes}', 'base64'))"`;
}

function useOf(name: string, values: Readonly<Record<string, string>>): ToolUse {
  return { name, arguments: JSON.stringify(values) };
}
