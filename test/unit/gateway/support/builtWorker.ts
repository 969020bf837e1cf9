/** The gateway's worker as shipped: one file, which starts in a fifth of the time of its sources. */
import { copyFile, mkdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { GATEWAY, VOCABULARY } from '../../../../scripts/lib/bundles.ts';
import { ROOT } from '../../../../scripts/lib/paths.ts';
import type { WorkerSettings } from '../../../../src/gateway/worker/protocol.ts';

/** The same in each run, so that Node finds what it has compiled. */
const FOLDER = join(ROOT, 'node_modules', '.cache', 'model-access-worker');
const INPUTS = 'inputs.json';
const BUNDLES = join(ROOT, 'scripts', 'lib', 'bundles.ts');
/** The worker, the threads that it starts, and the process of a window that runs it. */
const ENTRIES = [
  'src/gateway/worker/worker.ts',
  'src/gateway/counting/sizeThread.ts',
  'src/ledger/readingThread.ts',
  'src/gateway/secrets/secretThread.ts',
  'src/gateway/context/contextThread.ts',
  'test/unit/gateway/sharing/windowProcess.ts',
];

/** What the built files depend on besides their sources. The lock file shows a change of dependencies. */
const OTHER_INPUTS = [
  'package-lock.json',
  ...[VOCABULARY, BUNDLES, fileURLToPath(import.meta.url)].map((path) => relative(ROOT, path)),
];

export const WORKER = join(FOLDER, 'worker.cjs');
export const WINDOW_PROCESS = join(FOLDER, 'windowProcess.cjs');

let built: Promise<void> | undefined;

/** Builds the worker unless this or another process has built it from the same sources. Call in `before`. */
export function buildWorker(): Promise<void> {
  built ??= isFresh().then((fresh) => (fresh ? undefined : buildFiles()));
  return built;
}

export function startWorker(settings?: WorkerSettings): Worker {
  return new Worker(WORKER, { workerData: settings });
}

/** Whether no input has changed since the files were built. */
async function isFresh(): Promise<boolean> {
  try {
    const list = join(FOLDER, INPUTS);
    const { mtimeMs: builtAt } = await stat(list);
    const inputs: readonly string[] = JSON.parse(await readFile(list, 'utf8'));
    const times = await Promise.all(inputs.map(async (path) => (await stat(join(ROOT, path))).mtimeMs));
    return times.every((time) => time < builtAt);
  } catch {
    // Not built yet, or a source was removed.
    return false;
  }
}

/** Another process may build at the same time, so a file appears in one step, and the list of the inputs last. */
async function buildFiles(): Promise<void> {
  const begun = new Date();
  const { outputFiles, metafile } = await build({ ...GATEWAY, entryPoints: ENTRIES, write: false });
  await mkdir(FOLDER, { recursive: true });
  const put = async (name: string, write: (path: string) => Promise<void>) => {
    const path = join(FOLDER, name);
    const temporary = `${path}.${process.pid}`;
    await write(temporary);
    await utimes(temporary, begun, begun);
    await rename(temporary, path);
  };
  await put(basename(VOCABULARY), (path) => copyFile(VOCABULARY, path));
  for (const { path, contents } of outputFiles) await put(basename(path), (target) => writeFile(target, contents));
  const sources = Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
  await put(INPUTS, (path) => writeFile(path, JSON.stringify([...sources, ...OTHER_INPUTS])));
}
