import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder, ROOT } from './paths.ts';
import { runNode } from './processes.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const MOCHA = join(packageFolder('mocha'), 'bin', 'mocha.js');
const FAILED_FILES_REPORTER = join(ROOT, 'test', 'support', 'editor', 'failedFiles.ts');
const FAILED_FILES_VARIABLE = 'MODEL_ACCESS_FAILED_FILES';
/** More files with failures than this have a common cause, which a second run does not remove. */
const MAX_REPEATED_FILES = 3;
/** The line between the first and the second run of {@link runMochaTwice}. */
export const SECOND_RUN = '── a second run of the files with failures:';

interface MochaRun {
  readonly suites: string;
  readonly options: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs mocha on all suites, or on the files from this script's arguments, with the options from its arguments. Failures
 * are printed, and the exit code is set.
 */
export async function runMocha({ suites, options, env }: MochaRun): Promise<void> {
  const given = process.argv.slice(2);
  const files = given.some(isFile) ? [] : [suites];
  if (!(await passes([...options, ...given, ...files], env))) process.exitCode = 1;
}

/**
 * Like {@link runMocha}, and runs the files with failures a second time, after the line {@link SECOND_RUN}. Only the
 * failures of the second run set the exit code.
 *
 * The editor is a program of other people that moves the focus and draws its lists again whenever it likes. Among
 * hundreds of tests, one that it disturbs must not hide what all others found. Such a test is a defect, so `npm test`
 * counts it as flaky.
 */
export async function runMochaTwice({ suites, options, env }: MochaRun): Promise<void> {
  const given = process.argv.slice(2);
  const files = given.filter(isFile);
  const others = given.filter((argument) => !isFile(argument));
  const folder = await temporaryFolder();
  try {
    const list = join(folder.path, 'failed.json');
    const all = [...options, '--reporter', FAILED_FILES_REPORTER, ...others];
    if (await passes([...all, ...(files.length > 0 ? files : [suites])], { ...env, [FAILED_FILES_VARIABLE]: list })) {
      return;
    }
    const failed = await readFile(list, 'utf8').then((text): string[] => JSON.parse(text), ifAbsent);
    if (failed.length === 0 || failed.length > MAX_REPEATED_FILES) process.exitCode = 1;
    else {
      console.log(SECOND_RUN);
      if (!(await passes([...all, ...failed], env))) process.exitCode = 1;
    }
  } finally {
    await folder.remove();
  }
}

async function passes(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  try {
    await runNode([MOCHA, ...args], { cwd: ROOT, env: { ...process.env, ...env }, show: true });
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

const isFile = (argument: string): boolean => argument.endsWith('.ts');

/** Mocha ended before its report did. */
function ifAbsent(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
