/** How clients write the server of a tool into the tool's name. */
const FORMS: readonly RegExp[] = [
  /^mcp__(.+?)__(.+)$/,
  /^mcp--(.+?)--(.+)$/,
  /^mcp_([^_]+)_(.+)$/,
  /^(?<tool>.+)_mcp_(?<server>.+)$/,
];

/** Namespaces of clients that are no servers. */
const OWN_NAMESPACES: ReadonlySet<string> = new Set([
  'functions',
  'default',
  'multi_agent_v1',
  'clock',
  'collaboration',
]);

export interface NamedTool {
  readonly name: string;
  readonly server?: string;
}

/** Returns a tool with the server that its name contains. The name stays as the client sends it. */
export function namedTool(name: string, namespace?: string): NamedTool {
  if (namespace !== undefined && namespace !== '' && !OWN_NAMESPACES.has(namespace)) {
    return { name, server: namespace.replace(/^mcp__/, '').replace(/__$/, '') };
  }
  for (const form of FORMS) {
    const match = form.exec(name);
    const server = match?.groups?.server ?? match?.[1];
    if (server !== undefined) return { name, server };
  }
  return { name };
}
