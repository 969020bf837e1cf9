/**
 * Ends a process of the tests whose main thread has been blocked for two minutes, for example by an endless loop, and
 * prints the file and the place. Mocha's own limit needs a thread that is not blocked, and a worker of mocha that is
 * blocked would keep the run from ending.
 */
import { writeSync } from 'node:fs';
import { type Debugger, Session, url } from 'node:inspector';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Context, RootHookObject } from 'mocha';

const BEAT_MS = 1_000;
const LIMIT_MS = Number(process.env.TEST_BLOCKED_MS ?? 120_000);
/** How long the main thread may take to stop where it is. A function of the system does not stop. */
const STOPPING_MS = 5_000;

let watching: Worker | undefined;

/** A worker of mocha runs its files one after the other, each with these hooks. */
export const mochaHooks: RootHookObject = {
  beforeAll(this: Context) {
    const [first] = this.test?.parent?.suites ?? [];
    if (process.env.MOCHA_WORKER_ID !== undefined) watching?.postMessage(first?.file);
  },
};

if (!isMainThread) endIfBlocked(workerData);
// While a debugger is open, a person can stop the thread.
else if (url() === undefined) watching = watch();
// Mocha replaces the code at the end of a run, which does not come if all of its workers have ended.
if (isMainThread) process.exitCode = 1;

function watch(): Worker {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  const watching = new Worker(new URL(import.meta.url), { workerData: beats, execArgv: [] });
  watching.unref();
  return watching;
}

function endIfBlocked(beats: Int32Array): void {
  let file = '';
  parentPort?.on('message', (of: string) => {
    file = of;
  });
  let last = Atomics.load(beats, 0);
  let since = performance.now();
  const checks = setInterval(() => {
    const now = Atomics.load(beats, 0);
    if (now !== last) [last, since] = [now, performance.now()];
    if (performance.now() - since < LIMIT_MS) return;
    clearInterval(checks);
    endBlocked(file);
  }, BEAT_MS);
}

function endBlocked(file: string): void {
  const end = (place: string) => {
    const what = `The tests were blocked for ${LIMIT_MS / 1_000} s with TEST_SEED=${process.env.TEST_SEED}`;
    writeSync(2, `\n${what}: ${file}\n${place}\n`);
    process.kill(process.pid, 'SIGKILL');
  };
  const files = new Map<string, string>();
  const lineOf = ({ functionName, location }: Debugger.CallFrame): string =>
    `    at ${functionName || '(anonymous)'} (${files.get(location.scriptId) ?? ''}:${location.lineNumber + 1})`;
  const session = new Session();
  session.connectToMainThread();
  session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => end(params.callFrames.map(lineOf).join('\n')));
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  setTimeout(() => end('    in a function of the system'), STOPPING_MS);
}
