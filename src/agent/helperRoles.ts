/** What a helper is for, and what it can do. */
export interface HelperRole {
  readonly name: string;
  /** For the model that gives out tasks. */
  readonly description: string;
  /** Added to what each helper is told. */
  readonly instructions: string;
  /** Returns whether it has a tool. */
  readonly has: (tool: string) => boolean;
  /** The models that answer, the first of them that exists. Empty for the cheapest one. */
  readonly models: readonly string[];
}

/** The tools with which nothing is changed. */
const READING = new Set('read_file list_files find_files search_text get_problems get_changes fetch_page'.split(' '));
/** Only the run itself has a plan, talks to the user, and has helpers. */
const OF_RUN = new Set(['update_plan', 'ask_user', 'run_helpers']);

const READER: HelperRole = {
  name: 'reader',
  description: 'reads and searches, changes nothing',
  instructions: 'You read and search. You cannot change anything.',
  has: (tool) => READING.has(tool),
  models: [],
};

const EDITOR: HelperRole = {
  name: 'editor',
  description: 'changes files and runs commands as well',
  instructions: 'Change only the files that your task needs. If another helper works on a file, leave it to that one.',
  has: (tool) => !OF_RUN.has(tool),
  models: [],
};

/** The roles that a helper can have: the built-in ones, and those of the user's agent files, which may replace them. */
export function helperRoles(ofFiles: readonly HelperRole[]): ReadonlyMap<string, HelperRole> {
  const limited = ofFiles.map((role) => ({ ...role, has: (tool: string) => !OF_RUN.has(tool) && role.has(tool) }));
  return new Map([READER, EDITOR, ...limited].map((role) => [role.name, role]));
}
