import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

const WINDOWS = process.platform === 'win32';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const GRACE_MS = 3000;
/** How long programs that a program has left behind may hold its output open. */
const LEFT_OPEN_MS = 10_000;
const KEPT_OUTPUT = 8000;

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Prints the output as it arrives. Otherwise the output is only part of the error. */
  readonly show?: boolean;
}

/**
 * Runs a program until it exits.
 *
 * @returns its standard output; empty if `show` is set.
 * @throws Error with the end of its output if it fails.
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
  const code = await exitOf(child);
  if (code === 0) return output;
  throw new Error(`${command} ${args.join(' ')} ended with ${code}.\n${everything.slice(-KEPT_OUTPUT)}`.trimEnd());
}

/**
 * Waits until a program has ended and its output is read. Another program that it has started and left behind can hold
 * the output open for ever: what that prints later is not read.
 *
 * @returns the exit code, or the name of the signal that has ended the program.
 */
export async function exitOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  let leftOpen: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    leftOpen = setTimeout(() => {
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    }, LEFT_OPEN_MS);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(leftOpen);
  return signal ?? code ?? 1;
}

/** Runs a JavaScript or TypeScript file with this Node, so that neither a shell nor a `.cmd` file is needed. */
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
 * Starts a program that `stopTree` can end together with all of its child processes. It does not outlive this process,
 * unless this process is killed by force.
 */
export function startTree(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  // Outside Windows, the program is the leader of its own process group, so that a signal to the group reaches all of
  // it.
  const child = spawn(command, args, { ...options, detached: !WINDOWS });
  const killTree = (): void => killAtOnce(child);
  process.once('exit', killTree);
  child.once('exit', () => process.off('exit', killTree));
  exitOnSignals();
  return child;
}

/** Ends a program started by `startTree` and its children: with SIGTERM first, by force after three seconds. */
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

/**
 * Adds handlers for signals. A signal without a handler ends a process without its `exit` event, in which `startTree`
 * cleans up.
 */
function exitOnSignals(): void {
  for (const signal of SIGNALS) {
    if (process.listenerCount(signal) > 0) continue;
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}

function groupLives(pid: number): boolean {
  return signalGroup(pid, 0);
}

/** @returns false if no process of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function ignoreGone(error: unknown): void {
  // Any error is only printed, because taskkill's message for a missing process is in the language of the machine, and a
  // process that no longer exists is the desired result.
  console.warn(`Could not end a process: ${error instanceof Error ? error.message : String(error)}`);
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}
