/** What the parts of a context are named after: the server of a tool, and the file or program of a call. */
import { isRecord } from '../../formats/json.ts';

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

/** Members of a tool's arguments that name a file, in the order in which they count. */
const FILE_NAMES = ['file_path', 'filePath', 'path', 'file', 'notebook_path', 'target_file', 'absolute_path', 'uri'];
const COMMAND_NAMES = ['command', 'cmd', 'script', 'commands'];
const MAX_LENGTH = 200;
/** `VARIABLE=value` before a command. */
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const WORD = /^[a-z][\w:.-]*$/i;

interface CallTarget {
  readonly name: string;
  readonly isFile: boolean;
}

/**
 * Returns the file that the arguments of a call name, or the program and its subcommand. Other arguments may be secret,
 * so they are not part of a name.
 */
export function callTarget(args: unknown): CallTarget | undefined {
  if (!isRecord(args)) return undefined;
  for (const name of FILE_NAMES) {
    const value = args[name];
    if (typeof value === 'string' && value !== '') {
      return { name: value.slice(-MAX_LENGTH), isFile: true };
    }
  }
  for (const name of COMMAND_NAMES) {
    const value = args[name];
    const line = Array.isArray(value) ? value.at(-1) : value;
    const program = typeof line === 'string' ? programOf(line) : undefined;
    if (program !== undefined) return { name: program, isFile: false };
  }
  return undefined;
}

function programOf(line: string): string | undefined {
  // A change of the folder before the command says nothing about what the command prints.
  const command = line.replace(/^\s*cd\s+\S+\s*(?:&&|;)\s*/, '').trim();
  const [program = '', next = ''] = command.split(/\s+/).filter((word) => !ASSIGNMENT.test(word));
  const name = program.split('/').at(-1) ?? '';
  if (!WORD.test(name)) return undefined;
  return (WORD.test(next) && !next.includes('.') ? `${name} ${next}` : name).slice(0, MAX_LENGTH);
}
