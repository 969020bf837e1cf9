import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

const WINDOWS = process.platform === 'win32';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const GRACE_MS = 3000;
const KEPT_OUTPUT = 8000;

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Shows the output as it comes; without it the output is shown only in the error. */
  readonly show?: boolean;
}

/**
 * Runs a program to its end.
 *
 * @returns what it wrote to its standard output, empty when `show` is set.
 * @throws Error with the end of its output when it fails.
 */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: options.show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let everything = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    everything += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    everything += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (code === 0) return output;
  throw new Error(
    `${command} ${args.join(' ')} ended with ${signal ?? code}.\n${everything.slice(-KEPT_OUTPUT)}`.trimEnd(),
  );
}

/** Runs a script of JavaScript or TypeScript with this Node, so that no shell and no `.cmd` file is needed. */
export function runNode(args: readonly string[], options: RunOptions = {}): Promise<string> {
  return run(process.execPath, args, options);
}

/** Runs npm: the one that runs this script, or the one on the PATH. */
export function runNpm(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) return runNode([npm, ...args], options);
  return WINDOWS ? run('cmd.exe', ['/d', '/c', 'npm', ...args], options) : run('npm', args, options);
}

/**
 * Starts a program that `stopTree` can end together with everything that it starts itself. It does not outlive this
 * process, however that ends, short of a kill by force.
 */
export function startTree(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  // Outside Windows the program leads a process group of its own, and a signal to the group reaches all of it.
  const child = spawn(command, args, { ...options, detached: !WINDOWS });
  const killTree = (): void => killAtOnce(child);
  process.once('exit', killTree);
  child.once('exit', () => process.off('exit', killTree));
  exitOnSignals();
  return child;
}

/** Ends a program started by `startTree` and its children: politely first, by force after three seconds. */
export async function stopTree(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (WINDOWS) {
    if (child.exitCode === null) await run('taskkill', ['/pid', String(pid), '/T', '/F']).catch(ignoreGone);
    return;
  }
  signalGroup(pid, 'SIGTERM');
  const deadline = Date.now() + GRACE_MS;
  while (groupLives(pid) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  signalGroup(pid, 'SIGKILL');
}

function killAtOnce({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (WINDOWS) spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
  else signalGroup(pid, 'SIGKILL');
}

/** A signal that nobody handles ends a process without its `exit` event. Here it ends by the event. */
function exitOnSignals(): void {
  for (const signal of SIGNALS) {
    if (process.listenerCount(signal) > 0) continue;
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}

function groupLives(pid: number): boolean {
  return signalGroup(pid, 0);
}

/** @returns false when no process of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function ignoreGone(error: unknown): void {
  // taskkill says so in the language of the machine; a process that is gone is what was asked for.
  console.warn(`Could not end a process: ${error instanceof Error ? error.message : String(error)}`);
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}
