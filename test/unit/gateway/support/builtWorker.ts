/** The gateway's worker as shipped: one file, which starts in a fifth of the time of its sources. */
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { GATEWAY, VOCABULARY } from '../../../../scripts/lib/bundles.ts';
import { ROOT } from '../../../../scripts/lib/paths.ts';

/** The same in each run, so that Node finds what it has compiled. */
const FOLDER = join(ROOT, 'node_modules', '.cache', 'model-access-worker');
/** The worker, the threads that it starts, and the process of a window that runs it. */
const ENTRIES = [
  'src/gateway/worker/worker.ts',
  'src/gateway/counting/sizeThread.ts',
  'src/gateway/ledger/readingThread.ts',
  'src/gateway/secrets/secretThread.ts',
  'test/unit/gateway/sharing/windowProcess.ts',
];

export const WORKER = join(FOLDER, 'worker.cjs');
export const WINDOW_PROCESS = join(FOLDER, 'windowProcess.cjs');

let built: Promise<void> | undefined;

/** Builds the worker once for all tests of this process. Call in `before`. */
export function buildWorker(): Promise<void> {
  built ??= buildInto(FOLDER);
  return built;
}

export function startWorker(): Worker {
  return new Worker(WORKER);
}

/** Another process may build at the same time, so a file appears in one step. */
async function buildInto(folder: string): Promise<void> {
  const { outputFiles } = await build({ ...GATEWAY, entryPoints: ENTRIES, write: false });
  await mkdir(folder, { recursive: true });
  const put = async (name: string, write: (path: string) => Promise<void>) => {
    const path = join(folder, name);
    await write(`${path}.${process.pid}`);
    await rename(`${path}.${process.pid}`, path);
  };
  await put(basename(VOCABULARY), (path) => copyFile(VOCABULARY, path));
  for (const { path, contents } of outputFiles) await put(basename(path), (target) => writeFile(target, contents));
}
