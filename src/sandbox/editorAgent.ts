/** The tools of the editor's own agent, by which the prepared tasks work in its chat, too. */
import type { Tool, ToolResultPart } from '../formats/conversation.ts';
import type { JsonValue } from '../formats/json.ts';

/** The tools that a prepared task needs, by the names of the agent of the chat panel. */
const NAMES: Readonly<Record<string, string>> = {
  find_files: 'file_search',
  read_file: 'read_file',
  edit_file: 'replace_string_in_file',
  run_command: 'run_in_terminal',
};

/** The most lines of a file that are read. */
const MAX_LINES = 400;

export function isEditorAgent(tools: ReadonlyMap<string, Tool>): boolean {
  return Object.values(NAMES).every((name) => tools.has(name));
}

/** Returns the panel's names of the tools that were called. */
export function panelNames(called: readonly string[]): readonly string[] {
  return called.map((name) => Object.keys(NAMES).find((own) => NAMES[own] === name) ?? name);
}

/** Whether a result says that all tests have passed. */
export function hasPassed(text: string): boolean {
  return /(?:#|ℹ) fail 0\b/.test(text);
}

type Call = readonly [tool: string, args: JsonValue];

/**
 * Returns a call of the panel's agent as calls of the editor's. Its files have whole paths, which the results of the search
 * contain. The editor's plan is its own.
 */
export function editorCalls([name, args]: Call, results: readonly ToolResultPart[]): readonly Call[] {
  const given = args as Readonly<Record<string, JsonValue>>;
  const tool = NAMES[name];
  if (tool === undefined) return [];
  switch (name) {
    case 'find_files':
      return [[tool, { query: String(given.pattern) }]];
    case 'read_file':
      return [[tool, { filePath: wholePath(String(given.path), results), startLine: 1, endLine: MAX_LINES }]];
    case 'edit_file':
      return (given.edits as readonly { old_text: string; new_text: string }[]).map(({ old_text, new_text }) => [
        tool,
        { filePath: wholePath(String(given.path), results), oldString: old_text, newString: new_text },
      ]);
    default:
      return [[tool, { command: String(given.command), explanation: 'Runs the tests.', isBackground: false }]];
  }
}

function wholePath(path: string, results: readonly ToolResultPart[]): string {
  const texts = results.flatMap(({ content }) => content.flatMap((part) => (part.type === 'text' ? [part.text] : [])));
  const lines = texts
    .join('\n')
    .split(/[\r\n"<>]+/)
    .map((line) => line.trim());
  return lines.find((line) => line.replaceAll('\\', '/').endsWith(`/${path}`)) ?? path;
}
