import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Processes of one test. {@link endProcesses} must be called in `afterEach`. */
const children: ChildProcess[] = [];

export interface Running {
  readonly child: ChildProcess;
  /** Returns the output so far. */
  readonly output: () => string;
  /** Resolves with the exit code, or with the signal that ended it, after all output. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Runs a file in this folder. */
export function run(file: string, args: readonly string[], nodeOptions: readonly string[] = []): Running {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [...nodeOptions, path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return { child, output: () => output, ended };
}

/** Resolves when the process has printed this number of lines. */
export async function printed({ child, output }: Running, lines: number): Promise<void> {
  while (output().split('\n').length <= lines) {
    if (child.exitCode !== null) throw new Error('It ended too early.');
    if (child.stdout !== null) await once(child.stdout, 'data');
  }
}

export function endProcesses(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}
