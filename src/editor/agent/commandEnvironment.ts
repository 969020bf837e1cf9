/** The environment of the agent's commands. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../log/log.ts';

/** Programs that would wait for a key or a pager print everything instead. */
const WITHOUT_QUESTIONS = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_MERGE_AUTOEDIT: 'no',
};
/** The names of operating systems in the editor's settings. All others are `linux`. */
const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows', darwin: 'osx' };
/** The variables that such settings usually contain: the folder, or one of the environment. */
const VARIABLE = /\$\{(?:workspaceFolder|env:([^}]*))\}/g;
/** Variables of the editor's own processes. They would make `code` and Electron start as something else. */
const OF_EDITOR = /^(?:VSCODE|ELECTRON)_/;
/** Makes Electron run a script. */
const AS_NODE = 'ELECTRON_RUN_AS_NODE';
/** How long the editor may take to start a program in a terminal, in milliseconds. */
const MAX_WAIT_MS = 5000;

export interface CommandEnvironment {
  readonly variables: NodeJS.ProcessEnv;
  /** Whether it has everything that a new terminal would have, such as a Python environment that an extension activates. */
  readonly isComplete: boolean;
}

export interface EnvironmentServices {
  /** What this extension sets in terminals. Commands do not get the local key and the address that are meant for the user. */
  readonly ownVariables: Iterable<readonly [name: string, ...unknown[]]>;
  readonly log: Log;
}

/**
 * The environments of one run, by folder. Extensions can set variables in terminals, and only the editor knows all of
 * them, so a small program in a hidden terminal reports what it was given.
 */
export class CommandEnvironments {
  readonly #services: EnvironmentServices;
  readonly #maxWaitMs: number;
  readonly #byFolder = new Map<string, Promise<CommandEnvironment>>();

  constructor(services: EnvironmentServices, maxWaitMs = MAX_WAIT_MS) {
    this.#services = services;
    this.#maxWaitMs = maxWaitMs;
  }

  of(folder: vscode.Uri): Promise<CommandEnvironment> {
    const known = this.#byFolder.get(folder.toString());
    if (known !== undefined) return known;
    const environment = this.#read(folder);
    this.#byFolder.set(folder.toString(), environment);
    return environment;
  }

  async #read(folder: vscode.Uri): Promise<CommandEnvironment> {
    const inherited = { ...inheritedVariables(), ...changesOfSettings(folder) };
    try {
      const variables = await variablesOfNewTerminal(folder, this.#maxWaitMs);
      for (const [name] of this.#services.ownVariables) variables[name] = inherited[name];
      return { variables: { ...variables, ...WITHOUT_QUESTIONS }, isComplete: true };
    } catch (error) {
      this.#services.log.warn('The variables of a new terminal could not be read', error);
      return { variables: { ...inherited, ...WITHOUT_QUESTIONS }, isComplete: false };
    }
  }
}

/** @throws if the editor does not start the program, or it does not end in time. */
async function variablesOfNewTerminal(folder: vscode.Uri, maxWaitMs: number): Promise<NodeJS.ProcessEnv> {
  // Only the user can read this folder.
  const place = await mkdtemp(join(tmpdir(), 'model-access-'));
  const file = join(place, 'variables.json');
  const script = `require('fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env))`;
  const terminal = vscode.window.createTerminal({
    name: 'Model Access',
    shellPath: process.execPath,
    shellArgs: ['-e', script],
    cwd: folder,
    env: { [AS_NODE]: '1' },
    hideFromUser: true,
    isTransient: true,
  });
  try {
    await closed(terminal, maxWaitMs);
    const { [AS_NODE]: _, ...variables } = JSON.parse(await readFile(file, 'utf8')) as NodeJS.ProcessEnv;
    return variables;
  } finally {
    terminal.dispose();
    await rm(place, { recursive: true, force: true });
  }
}

function closed(terminal: vscode.Terminal, maxWaitMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const latest = setTimeout(() => reject(new Error(`No answer within ${maxWaitMs} ms.`)), maxWaitMs);
  const subscription = vscode.window.onDidCloseTerminal((one) => {
    if (one === terminal) resolve();
  });
  return promise.finally(() => {
    clearTimeout(latest);
    subscription.dispose();
  });
}

/** The environment that the editor has from the user's shell. */
function inheritedVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_EDITOR.test(name)));
}

/** Returns what the user's settings change in the environment of terminals. Undefined removes a variable. */
function changesOfSettings(folder: vscode.Uri): NodeJS.ProcessEnv {
  const settings = vscode.workspace.getConfiguration('terminal.integrated.env', folder);
  const changes = settings.get<Record<string, string | null>>(SYSTEMS[process.platform] ?? 'linux') ?? {};
  const resolved = (value: string) =>
    value.replaceAll(VARIABLE, (_, name?: string) => (name === undefined ? folder.fsPath : (process.env[name] ?? '')));
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value === null ? undefined : resolved(value)]),
  );
}
