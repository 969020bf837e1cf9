import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './paths.ts';
import { exitOf, startTree, stopTree } from './processes.ts';
import { untilSignal } from './untilSignal.ts';

const WINDOWS = process.platform === 'win32';
const SECOND_MS = 1000;
/** A run that takes longer hangs: a machine that is five times slower than a usual one needs less. */
const LIMIT_MS = 60 * 60 * SECOND_MS;
/** Mocha's summary, printed once per run; tests inside the editor print it once per workspace. */
const COUNTS = /^ {2}(\d+) (passing|failing)\b/gm;
/**
 * Maximum length of the output of a failed stage that is shown: its failed tests as mocha lists them, otherwise the end
 * of the output.
 */
const MAX_LINES_OF_FAILURE = 60;

export interface Stage {
  readonly name: string;
  /** A script of `package.json`, with its options. */
  readonly script?: string;
  readonly options?: readonly string[];
  /** A program of the development dependencies with its arguments, instead of a script. */
  readonly command?: readonly string[];
  /** Variables that are added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Stages that run one after the other. */
type Row = readonly Stage[];

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

interface Ended extends Counts {
  readonly name: string;
  /** The exit code, or the name of a signal. */
  readonly code: number | string;
  readonly seconds: number;
  /** The failure to print at the end; empty if there was none. */
  readonly failure: string;
}

/**
 * Runs rows of stages in parallel, after the stages that several rows depend on. At the end, prints the failures, the
 * duration of each stage, and the number of passed and failed tests. A failed stage does not keep others from running.
 * After an hour and on Ctrl+C, what runs is stopped, and fails with its output so far.
 * The exit code is 1 if any stage has failed.
 */
export async function runStages(rows: readonly Row[], before: Row = []): Promise<void> {
  const begun = performance.now();
  const limit = AbortSignal.any([untilSignal(), AbortSignal.timeout(LIMIT_MS)]);
  const ended = await runRow(before, limit);
  for (const row of await Promise.all(rows.map((stages) => runRow(stages, limit)))) ended.push(...row);
  const total = (count: (stage: Ended) => number) => ended.reduce((sum, stage) => sum + count(stage), 0);
  for (const { name, failure } of ended) if (failure !== '') console.log(`\n── failures of ${name}:\n${failure}`);
  console.log('\nStage     Seconds  Passed  Failed');
  for (const stage of ended) console.log(lineOf(stage));
  console.log(`${((performance.now() - begun) / SECOND_MS).toFixed(0)} seconds in all\n`);
  // A stage without named tests counts as one test, so that its failure is in the sum.
  const untested = (stage: Ended) => stage.passed + stage.failed === 0;
  const failed = total((stage) => (stage.code === 0 ? 0 : Math.max(stage.failed, 1)));
  const passed = total((stage) => (untested(stage) && stage.code === 0 ? 1 : stage.passed));
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

function lineOf({ name, code, seconds, passed, failed }: Ended): string {
  const counts = passed + failed === 0 ? '' : `${String(passed).padStart(8)}${String(failed).padStart(8)}`;
  const result = code === 0 ? '' : `  ended with ${code}`;
  return `${name.padEnd(10)}${seconds.toFixed(0).padStart(7)}${counts}${result}`;
}

async function runRow(stages: Row, limit: AbortSignal): Promise<Ended[]> {
  const ended: Ended[] = [];
  for (const stage of stages) {
    if (limit.aborted)
      ended.push({ name: stage.name, code: 1, seconds: 0, passed: 0, failed: 0, failure: 'Was not run.' });
    else ended.push(await runStage(stage, limit));
  }
  return ended;
}

async function runStage(stage: Stage, limit: AbortSignal): Promise<Ended> {
  const begun = performance.now();
  const { program, args } = programOf(stage);
  // Uses a shell on Windows only, where npm and npx are batch files.
  const env = { ...process.env, ...stage.env };
  const child = startTree(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], shell: WINDOWS });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => output.push(bytes));
  const stop = (): void => void stopTree(child);
  limit.addEventListener('abort', stop);
  const code = await exitOf(child);
  limit.removeEventListener('abort', stop);
  // Ends what the stage has left behind.
  await stopTree(child);
  if (limit.aborted) output.push(Buffer.from('\nStopped: by a signal, or after an hour.'));
  const text = Buffer.concat(output).toString();
  const seconds = (performance.now() - begun) / SECOND_MS;
  console.log(
    `\n── ${stage.name}: ${code === 0 ? 'passed' : 'failed'} after ${seconds.toFixed(0)} s\n${text.trimEnd()}`,
  );
  const plain = stripVTControlCharacters(text);
  return {
    name: stage.name,
    code,
    seconds,
    ...countsIn(plain),
    failure: code === 0 ? '' : failureIn(plain),
  };
}

function failureIn(text: string): string {
  const first = text.search(/^ {2}\d+ failing\b/m);
  const lines = (first < 0 ? text : text.slice(first)).trimEnd().split('\n');
  return (first < 0 ? lines.slice(-MAX_LINES_OF_FAILURE) : lines.slice(0, MAX_LINES_OF_FAILURE)).join('\n');
}

function programOf({ script, options = [], command = [] }: Stage): { program: string; args: string[] } {
  if (script === undefined) return { program: 'npx', args: ['--no', '--', ...command] };
  return { program: 'npm', args: ['run', '--silent', script, ...(options.length > 0 ? ['--', ...options] : [])] };
}

function countsIn(text: string): Counts {
  const counts = { passing: 0, failing: 0 };
  for (const [, count, what] of text.matchAll(COUNTS)) counts[what as keyof typeof counts] += Number(count);
  return { passed: counts.passing, failed: counts.failing };
}
