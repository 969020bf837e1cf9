import { join } from 'node:path';
import { packageFolder, ROOT } from './paths.ts';
import { runNode } from './processes.ts';

const MOCHA = join(packageFolder('mocha'), 'bin', 'mocha.js');

interface MochaRun {
  readonly suites: string;
  readonly options: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs mocha on all suites, or on the files from this script's arguments, with the options from its arguments. Failures
 * are printed, and the exit code is set.
 */
export async function runMocha({ suites, options, env = {} }: MochaRun): Promise<void> {
  const given = process.argv.slice(2);
  const files = given.some(isFile) ? [] : [suites];
  try {
    await runNode([MOCHA, ...options, ...given, ...files], { cwd: ROOT, env: { ...process.env, ...env }, show: true });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

const isFile = (argument: string): boolean => argument.endsWith('.ts');
