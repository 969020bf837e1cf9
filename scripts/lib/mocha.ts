import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageFolder, ROOT } from './paths.ts';
import { exitOf } from './processes.ts';

const MOCHA = join(packageFolder('mocha'), 'bin', 'mocha.js');

interface MochaRun {
  /** Files of suites, or patterns of them. */
  readonly suites: readonly string[];
  readonly options: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs mocha on all suites, or on the files from this script's arguments, with the options from its arguments. Failures
 * are printed, and the exit code is set.
 */
export async function runMocha(run: MochaRun): Promise<void> {
  const given = process.argv.slice(2);
  const options = [...run.options, ...given];
  const child = start({ ...run, options, suites: given.some(isFile) ? [] : run.suites }, 'inherit');
  await ended(child);
}

/**
 * Runs mocha in two processes at the same time. The output of the first is printed as it arrives, and that of the second
 * after both have ended.
 */
export async function runMochaTwofold(first: MochaRun, second: MochaRun): Promise<void> {
  const shown = start(first, 'inherit');
  const kept = start(second, 'pipe');
  const output: Buffer[] = [];
  for (const stream of [kept.stdout, kept.stderr]) stream?.on('data', (bytes: Buffer) => output.push(bytes));
  await Promise.all([ended(shown), ended(kept)]);
  process.stdout.write(Buffer.concat(output));
}

function start({ suites, options, env = {} }: MochaRun, stdio: 'inherit' | 'pipe') {
  return spawn(process.execPath, [MOCHA, ...options, ...suites], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', stdio, stdio],
  });
}

async function ended(child: ReturnType<typeof start>): Promise<void> {
  const code = await exitOf(child);
  if (code === 0) return;
  console.error(`mocha ended with ${code}.`);
  process.exitCode = 1;
}

const isFile = (argument: string): boolean => argument.endsWith('.ts');
