/** The names that other products give to the agent's tools, in files that are shared with them. */
const SEARCH = ['search_text', 'find_files', 'list_files'];
const COMMANDS = ['run_command', 'check_command'];
const EDIT = ['edit_file', 'create_file', 'rename_file', 'delete_file'];

/** In lower case, without the tool set before a slash. */
const ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    // The editor's tool sets, which GitHub uses, too.
    read: ['read_file', 'get_problems', 'get_changes'],
    search: [...SEARCH, 'read_file', 'get_changes'],
    edit: EDIT,
    execute: COMMANDS,
    web: ['fetch_page'],
    todo: ['update_plan'],
    // The editor's tools, with their earlier names.
    readfile: ['read_file'],
    problems: ['get_problems'],
    changes: ['get_changes'],
    codebase: SEARCH,
    textsearch: ['search_text'],
    filesearch: ['find_files'],
    findtestfiles: ['find_files'],
    listdirectory: ['list_files'],
    usages: ['search_text'],
    editfiles: ['edit_file', 'create_file'],
    createfile: ['create_file'],
    createdirectory: ['create_file'],
    runinterminal: COMMANDS,
    runcommands: COMMANDS,
    getterminaloutput: ['check_command'],
    bashoutput: ['check_command'],
    killshell: ['check_command'],
    agent: ['run_helpers'],
    runsubagent: ['run_helpers'],
    task: ['run_helpers'],
    runtasks: ['run_command'],
    runtask: ['run_command'],
    createandruntask: ['run_command'],
    gettaskoutput: ['check_command'],
    runtests: ['run_command'],
    fetch: ['fetch_page'],
    todos: ['update_plan'],
    askquestions: ['ask_user'],
    // Claude Code's tools.
    ls: ['list_files'],
    grep: ['search_text'],
    glob: ['find_files', 'list_files'],
    multiedit: ['edit_file'],
    write: ['create_file', 'edit_file'],
    bash: COMMANDS,
    shell: COMMANDS,
    powershell: COMMANDS,
    webfetch: ['fetch_page'],
    todowrite: ['update_plan'],
    askuserquestion: ['ask_user'],
    skill: ['use_skill'],
  }),
);

/** A tool set of the editor, before the name of one of its tools. */
const TOOL_SET = /^(?:agent|read|search|edit|execute|web|vscode)\//;

export interface NamedTools {
  readonly tools: ReadonlySet<string>;
  /** Names that mean no tool of this editor. */
  readonly unknown: readonly string[];
}

/**
 * Finds the tools that a file names.
 * @param available the names of all tools: the agent's own, and those of extensions and MCP servers.
 */
export function toolsNamed(names: readonly string[], available: readonly string[]): NamedTools {
  const found = names.map((name) => ({ name, tools: toolsOf(name, available) }));
  return {
    tools: new Set(found.flatMap(({ tools }) => tools)),
    unknown: found.filter(({ tools }) => tools.length === 0).map(({ name }) => name),
  };
}

function toolsOf(written: string, available: readonly string[]): readonly string[] {
  // Claude Code limits a tool to certain arguments, as in `Bash(git:*)`. Here, each call asks for itself.
  const name = written
    .replace(/\(.*\)$/, '')
    .replace(/^#(?:tool:)?/, '')
    .trim();
  if (name === '*') return available;
  const isAvailable = (tool: string) => available.includes(tool);
  if (isAvailable(name)) return [name];
  const own = (ELSEWHERE.get(name.replace(TOOL_SET, '').toLowerCase()) ?? []).filter(isAvailable);
  return own.length > 0 ? own : ofServer(name, available);
}

/** Tools of an MCP server: `server/*`, `server/tool`, and `mcp__server__tool`. The editor calls them `mcp_server_tool`. */
function ofServer(name: string, available: readonly string[]): readonly string[] {
  const [server = '', ...rest] = name.startsWith('mcp__') ? name.slice(5).split('__') : name.split('/');
  const tool = rest.join('_');
  const begin = comparable(server.split('.').at(-1) ?? server);
  const foreign = available.filter((known) => known.startsWith('mcp_'));
  const isAll = tool === '' || tool === '*';
  return foreign.filter((known) => {
    const plain = comparable(known.slice(4));
    return isAll ? begin !== '' && plain.startsWith(begin) : isSameTool(plain, begin, comparable(tool));
  });
}

/** The editor shortens long names of servers. */
function isSameTool(known: string, server: string, tool: string): boolean {
  if (!known.endsWith(tool)) return false;
  const before = known.slice(0, -tool.length);
  return before !== '' && (server.startsWith(before) || before.startsWith(server));
}

function comparable(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}
