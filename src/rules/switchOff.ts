/** How clients are told not to offer the tools of a server, by the beginning of the client's name. */
const LINES: readonly (readonly [client: RegExp, line: (server: string) => string])[] = [
  [/^claude/i, (server) => `claude mcp remove ${server}`],
  [/^codex/i, (server) => `codex mcp remove ${server}`],
  [/^gemini/i, (server) => `gemini mcp remove ${server}`],
  [/^qwen/i, (server) => `qwen mcp remove ${server}`],
  [/^opencode/i, (server) => `"mcp": { ${JSON.stringify(server)}: { "enabled": false } }`],
  [/^(?:kilo|roo|cline)/i, (server) => `${JSON.stringify(server)}: { "disabled": true }`],
];

/** Other names could be read as more than a name by a shell. */
const NAME = /^[\w.-]+$/;

/** Returns the command, or the line of a configuration file, that switches a server off. */
export function switchOffLine(client: string | undefined, server: string): string | undefined {
  if (client === undefined || !NAME.test(server)) return undefined;
  return LINES.find(([pattern]) => pattern.test(client))?.[1](server);
}
