import { spawn } from 'node:child_process';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** How long a new terminal may take until its shell can be followed, in milliseconds. */
const SHELL_MS = 4000;
/** How long a command may take to end after it was interrupted, in milliseconds. */
const END_MS = 2000;
/** Programs that would wait for a key or a pager print everything instead. */
const WITHOUT_QUESTIONS = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', CI: '1' };
/** The names of operating systems in the editor's settings. All others are `linux`. */
const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows', darwin: 'osx' };
/** The variables that such settings usually contain: the folder, or one of the environment. */
const VARIABLE = /\$\{(?:workspaceFolder|env:([^}]*))\}/g;
/** The most of a command's output that is kept, in characters. The beginning and the end remain. */
const MAX_KEPT = 1_000_000;

export interface CommandOptions {
  readonly folder: vscode.Uri;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called with the whole output so far. */
  readonly onOutput: (output: string) => void;
}

export interface CommandResult {
  readonly output: string;
  /** Undefined if it was stopped, or the shell does not report it. */
  readonly exitCode: number | undefined;
  readonly end: 'exit' | 'timeout' | 'canceled';
}

/**
 * The terminals in which the agent's commands run, one for each folder. They use the shell integration of the editor, so
 * that a command has the user's shell and environment. Where a shell has none, the command runs in a process of its own,
 * whose output is shown in a terminal.
 */
export class CommandTerminals implements vscode.Disposable {
  readonly #terminals = new Map<string, vscode.Terminal>();
  /** Where the shell of each terminal was at first. */
  readonly #homes = new WeakMap<vscode.Terminal, string>();
  readonly #subscription = vscode.window.onDidCloseTerminal((closed) => {
    for (const [folder, terminal] of this.#terminals) if (terminal === closed) this.#terminals.delete(folder);
  });
  #last: vscode.Terminal | undefined;

  async run(command: string, options: CommandOptions): Promise<CommandResult> {
    const terminal = this.#terminalFor(options.folder);
    this.#last = terminal;
    terminal.show(true);
    const shell = await shellOf(terminal, options.signal);
    if (shell === undefined) return this.#runAlone(command, options);
    if (!this.#homes.has(terminal)) this.#homes.set(terminal, (shell.cwd ?? options.folder).toString());
    return runInShell(terminal, shell, command, options);
  }

  /** Shows the terminal of the last command. */
  show(): void {
    this.#last?.show();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #terminalFor(folder: vscode.Uri): vscode.Terminal {
    const key = folder.toString();
    const known = this.#terminals.get(key);
    if (known !== undefined && known.exitStatus === undefined && this.#isAtHome(known)) return known;
    const terminal = vscode.window.createTerminal({
      name: l10n.t('Agent'),
      cwd: folder,
      iconPath: new vscode.ThemeIcon('robot'),
      env: WITHOUT_QUESTIONS,
    });
    this.#terminals.set(key, terminal);
    return terminal;
  }

  /** An earlier command may have changed the folder, but the user is asked for commands in this one. */
  #isAtHome(terminal: vscode.Terminal): boolean {
    const cwd = terminal.shellIntegration?.cwd;
    return cwd === undefined || cwd.toString() === this.#homes.get(terminal);
  }

  /** Runs the command in a process whose output a terminal shows. */
  #runAlone(command: string, options: CommandOptions): Promise<CommandResult> {
    for (const [folder, terminal] of this.#terminals) {
      if (terminal !== this.#last) continue;
      this.#terminals.delete(folder);
      terminal.dispose();
    }
    const written = new vscode.EventEmitter<string>();
    const closed = new AbortController();
    const terminal = vscode.window.createTerminal({
      name: l10n.t('Agent'),
      iconPath: new vscode.ThemeIcon('robot'),
      pty: {
        onDidWrite: written.event,
        open: () => written.fire(`> ${command}\r\n`),
        close: () => closed.abort(),
      },
    });
    this.#last = terminal;
    terminal.show(true);
    const signal = AbortSignal.any([options.signal, closed.signal]);
    return runProcess(command, { ...options, signal }, (text) => written.fire(text.replaceAll(/\r?\n/g, '\r\n')));
  }
}

function shellOf(terminal: vscode.Terminal, signal: AbortSignal): Promise<vscode.TerminalShellIntegration | undefined> {
  if (terminal.shellIntegration !== undefined) return Promise.resolve(terminal.shellIntegration);
  return new Promise((resolve) => {
    const done = (shell: vscode.TerminalShellIntegration | undefined) => {
      clearTimeout(latest);
      signal.removeEventListener('abort', onAbort);
      subscription.dispose();
      resolve(shell);
    };
    const onAbort = () => done(undefined);
    const latest = setTimeout(() => done(undefined), SHELL_MS);
    const subscription = vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) done(event.shellIntegration);
    });
    signal.addEventListener('abort', onAbort);
  });
}

async function runInShell(
  terminal: vscode.Terminal,
  shell: vscode.TerminalShellIntegration,
  command: string,
  { timeoutMs, signal, onOutput }: CommandOptions,
): Promise<CommandResult> {
  const output = new Output(onOutput);
  const execution = shell.executeCommand(command);
  const ended = new Promise<number | undefined>((resolve) => {
    const subscriptions = [
      vscode.window.onDidEndTerminalShellExecution((event) => event.execution === execution && finish(event.exitCode)),
      vscode.window.onDidCloseTerminal((closed) => closed === terminal && finish(undefined)),
    ];
    const finish = (exitCode: number | undefined) => {
      vscode.Disposable.from(...subscriptions).dispose();
      resolve(exitCode);
    };
  });
  const read = (async () => {
    for await (const text of execution.read()) output.add(text);
  })();
  const stop = stopOf(timeoutMs, signal);
  const exit = ended.then((exitCode) => ({ exitCode, end: 'exit' as const }));
  const first = await Promise.race([exit, stop.reached]);
  stop.cancel();
  if (typeof first === 'object') {
    await read;
    return { output: output.text, ...first };
  }
  terminal.sendText('\u0003', false);
  const late = await Promise.race([ended.then(() => true), after(END_MS).then(() => false)]);
  if (!late) terminal.dispose();
  return { output: output.text, exitCode: undefined, end: first };
}

async function runProcess(
  command: string,
  { folder, timeoutMs, signal, onOutput }: CommandOptions,
  show: (text: string) => void,
): Promise<CommandResult> {
  const output = new Output(onOutput);
  const isWindows = process.platform === 'win32';
  const child = spawn(command, {
    cwd: folder.fsPath,
    env: { ...process.env, ...environmentOfSettings(folder), ...WITHOUT_QUESTIONS },
    shell: true,
    detached: !isWindows,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const add = (chunk: Buffer) => {
    const text = chunk.toString();
    output.add(text);
    show(text);
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  const exit = new Promise<{ exitCode: number | undefined; end: 'exit' }>((resolve) => {
    child.on('error', (error) => {
      output.add(String(error));
      resolve({ exitCode: undefined, end: 'exit' });
    });
    child.on('close', (code) => resolve({ exitCode: code ?? undefined, end: 'exit' }));
  });
  const stop = stopOf(timeoutMs, signal);
  const first = await Promise.race([exit, stop.reached]);
  stop.cancel();
  if (typeof first === 'object') return { output: output.text, ...first };
  // The shell's children as well, which its own end would leave behind.
  if (child.pid !== undefined && !isWindows) process.kill(-child.pid, 'SIGKILL');
  else child.kill('SIGKILL');
  await exit;
  return { output: output.text, exitCode: undefined, end: first };
}

/** Returns what the user's settings change in the environment of terminals. Undefined removes a variable. */
function environmentOfSettings(folder: vscode.Uri): NodeJS.ProcessEnv {
  const settings = vscode.workspace.getConfiguration('terminal.integrated.env', folder);
  const changes = settings.get<Record<string, string | null>>(SYSTEMS[process.platform] ?? 'linux') ?? {};
  const resolved = (value: string) =>
    value.replaceAll(VARIABLE, (_, name?: string) => (name === undefined ? folder.fsPath : (process.env[name] ?? '')));
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value === null ? undefined : resolved(value)]),
  );
}

/** Resolves when the time is over or the user cancels. */
function stopOf(timeoutMs: number, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<'timeout' | 'canceled'>();
  const onAbort = () => resolve('canceled');
  const timer = setTimeout(() => resolve('timeout'), timeoutMs);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return {
    reached: promise,
    cancel: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Collects the output. Of a very long one, the beginning and the end are kept. */
class Output {
  readonly #onChange: (output: string) => void;
  #start = '';
  #end = '';

  constructor(onChange: (output: string) => void) {
    this.#onChange = onChange;
  }

  add(text: string): void {
    if (this.#start.length < MAX_KEPT / 2) this.#start += text;
    else this.#end = (this.#end + text).slice(-MAX_KEPT / 2);
    this.#onChange(this.#end === '' ? this.#start : this.#end);
  }

  get text(): string {
    return this.#end === '' ? this.#start : `${this.#start}\n${this.#end}`;
  }
}
