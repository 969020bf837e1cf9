import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type OutputPipe, outputPipe } from './outputPipe.ts';
import { startOf } from './shells.ts';
import { ToolError } from './tools/tool.ts';

/** How long a command may take to end after it was asked to, in milliseconds. Then it is killed. */
const END_MS = 2000;
/** What editors and pagers write when they take the whole screen of a terminal. */
const FULL_SCREEN = '\u001B[?1049h';
/** Turns of the event loop without output after which everything that a shell has written before its end was read. */
const QUIET_TURNS = 3;
/** How often it is looked whether what a command has left in the background goes on, in milliseconds. */
const REST_MS = 500;
/** The most of a command's output that is kept, in characters. The beginning and the end remain. */
const MAX_KEPT = 1_000_000;

export interface ShellCommandOptions {
  /** The path of the user's shell. */
  readonly shell: string;
  /** The path of the folder in which the shell starts. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Undefined for a command that may run for as long as it likes. */
  readonly timeoutMs?: number | undefined;
  /**
   * Called with a function that types a text. The command has an empty input otherwise. Watchers and some servers end
   * when their input does.
   */
  readonly onInput?: (type: (text: string) => void) => void;
  /** Aborted by the user: in the chat, or with the reason `interrupt` or `closed` in the terminal. */
  readonly signal: AbortSignal;
  /** Called with each part of the output, also of processes that go on after the command. */
  readonly onText: (text: string) => void;
}

type StopReason = 'timeout' | 'canceled' | 'interrupted' | 'closed' | 'fullScreen';

export interface CommandResult {
  readonly output: string;
  /** Undefined if the command was stopped or ended by a signal, or could not start. */
  readonly exitCode: number | undefined;
  /** The signal that ended the shell, such as `SIGSEGV`, unless the command was stopped. */
  readonly killedBy?: NodeJS.Signals;
  /** `fullScreen`: it opened a program that nobody can use here, such as an editor. */
  readonly end: 'exit' | StopReason;
  /** Set if processes that the command has started go on. */
  readonly rest?: CommandRest;
}

/** The processes that a command has left in the background. */
export interface CommandRest {
  end(): void;
  /** Resolves when none of them is left. */
  readonly ended: Promise<void>;
}

/**
 * Runs a command line in a process of the user's shell that exists for it alone. The command starts in the given folder,
 * and nothing of an earlier one remains: no folder, variable, option, trap, or alias. It ends with
 * the shell's process, whoever ends that, and at the latest soon after the limit or the user's stop. Processes that it
 * leaves in the background go on and keep writing.
 * @throws {Error} if the shell cannot be started.
 */
export async function runShellCommand(command: string, options: ShellCommandOptions): Promise<CommandResult> {
  const { timeoutMs, signal } = options;
  const output = new CommandOutput();
  const pipe = await outputPipe();
  const child = started(command, options, pipe);
  const { stdin } = child;
  if (stdin !== null) {
    // The command may have closed its input, or have ended.
    stdin.on('error', () => undefined);
    options.onInput?.((text) => stdin.write(text));
  }
  const stop = stopOf(timeoutMs, signal);
  const streams = [pipe?.output, child.stdout, child.stderr].filter((stream) => stream instanceof Readable);
  let end = '';
  const reader = new OutputReader(streams, (text) => {
    output.add(text);
    options.onText(text);
    // It may arrive in two parts.
    const seen = end + text;
    if (seen.includes(FULL_SCREEN)) stop.reach('fullScreen');
    end = seen.slice(1 - FULL_SCREEN.length);
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    stop.cancel();
    throw error;
  }
  const exit = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('exit', (code, killedBy) => resolve([code, killedBy]));
  });
  const first = await Promise.race([exit, stop.reached]);
  stop.cancel();
  if (typeof first === 'string') await endGroup(child, exit);
  await reader.drained();
  if (typeof first === 'string') return { output: output.text, exitCode: undefined, end: first };
  const [code, killedBy] = first;
  return {
    output: output.text,
    exitCode: code ?? undefined,
    end: 'exit',
    ...(killedBy !== null && { killedBy }),
    ...((!reader.isClosed || isGroupLeft(child)) && { rest: restOf(child, reader) }),
  };
}

function restOf(child: ChildProcess, reader: OutputReader): CommandRest {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (isGroupLeft(child)) return;
    clearInterval(timer);
    void reader.closed.then(resolve);
  };
  const timer = setInterval(look, REST_MS).unref();
  look();
  return { end: () => kill(child, 'SIGKILL'), ended };
}

/** Whether a process of the command is left, which can also be one that writes nothing. Unknown on Windows. */
function isGroupLeft({ pid }: ChildProcess): boolean {
  if (pid === undefined || process.platform === 'win32') return false;
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

function started(
  command: string,
  { shell, folder, env, onInput }: ShellCommandOptions,
  pipe: OutputPipe | undefined,
): ChildProcess {
  const { program, arguments: written, isVerbatim } = startOf(command, shell);
  const output = pipe?.writeEnd ?? 'pipe';
  try {
    return spawn(program, written, {
      cwd: folder,
      env,
      // A group of its own can be ended as a whole, and has no terminal to ask for a password in.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
      stdio: [onInput === undefined ? 'ignore' : 'pipe', output, output],
    });
  } catch (error) {
    pipe?.output.destroy();
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'E2BIG' && code !== 'ENAMETOOLONG') throw error;
    throw new ToolError('The command is too long for this system. Write it to a file, and run that.');
  } finally {
    if (pipe !== undefined) closeSync(pipe.writeEnd);
  }
}

/** Asks the shell and its children to end, and kills them if they do not. */
async function endGroup(child: ChildProcess, exit: Promise<unknown>): Promise<void> {
  const killNow = () => kill(child, 'SIGKILL');
  kill(child, 'SIGTERM');
  const latest = setTimeout(killNow, END_MS);
  // A window that closes does not wait that long.
  process.once('exit', killNow);
  await exit;
  process.off('exit', killNow);
  clearTimeout(latest);
  killNow();
}

/** Ends the shell and its children, which its own end would leave behind. */
function kill(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { windowsHide: true }).on('error', () => child.kill());
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // Nothing of the group is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Reads the outputs of a process as they arrive. A character may be cut between two reads. */
class OutputReader {
  readonly closed: Promise<void>;
  isClosed = false;
  #reads = 0;

  constructor(streams: readonly Readable[], onText: (text: string) => void) {
    for (const stream of streams) {
      const decoder = new StringDecoder('utf8');
      stream.on('data', (chunk: Buffer) => {
        this.#reads += 1;
        const text = decoder.write(chunk);
        if (text !== '') onText(text);
      });
      stream.on('end', () => {
        const rest = decoder.end();
        if (rest !== '') onText(rest);
      });
    }
    const ends = streams.map((stream) => new Promise<void>((resolve) => stream.once('close', resolve)));
    this.closed = Promise.all(ends).then(() => {
      this.isClosed = true;
    });
  }

  /**
   * Resolves when everything was read that had been written. A process in the background can keep the outputs open, so
   * their end is not waited for.
   */
  async drained(): Promise<void> {
    let quiet = 0;
    let reads = this.#reads;
    while (!this.isClosed && quiet < QUIET_TURNS) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = reads === this.#reads ? quiet + 1 : 0;
      reads = this.#reads;
    }
  }
}

/** Resolves when the time is over, or the user stops the command. */
function stopOf(timeoutMs: number | undefined, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<StopReason>();
  const onAbort = () => {
    const { reason } = signal;
    resolve(reason === 'interrupted' || reason === 'closed' ? reason : 'canceled');
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => resolve('timeout'), timeoutMs);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return {
    reached: promise,
    reach: resolve,
    cancel: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Collects the output of a command. Of a very long one, the beginning and the end are kept. */
class CommandOutput {
  #start = '';
  #end = '';

  add(text: string): void {
    if (this.#start.length < MAX_KEPT / 2) this.#start += text;
    else this.#end = (this.#end + text).slice(-MAX_KEPT / 2);
  }

  get text(): string {
    return this.#end === '' ? this.#start : `${this.#start}\n${this.#end}`;
  }
}
