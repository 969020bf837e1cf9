import { readdir, readFile } from 'node:fs/promises';
import type { CDPSession } from 'playwright-core';
import type { Editor } from '../../test/support/editor/editor.ts';

/** Memory, in megabytes. */
export interface Sample {
  readonly turn: number;
  /**
   * JavaScript heap after a garbage collection: that of the window, which includes the panel's page in the same
   * process.
   */
  readonly page: number;
  /** Number of elements and texts in the same pages. */
  readonly nodes: number;
  /** Both while the panel is hidden and its page is gone, to distinguish growth of the editor itself. */
  readonly away: Heap;
  /** Resident memory of the extension host, including all extensions. */
  readonly host: number;
}

const MEGABYTE = 1e6;

export interface Heap {
  /** In megabytes. */
  readonly heap: number;
  readonly nodes: number;
}

/** Measures the memory of an editor with the panel. */
export async function sampleOf(editor: Editor, turn: number, away: Heap): Promise<Sample> {
  const { heap, nodes } = await windowHeap(editor);
  return { turn, page: heap, nodes, away, host: await hostMemory() };
}

/** Returns the current heap of the window and the pages in its process. */
export async function windowHeap({ page }: Editor): Promise<Heap> {
  const session = await page.context().newCDPSession(page);
  const found = await heapOf(session);
  await session.detach();
  return found;
}

async function heapOf(session: CDPSession): Promise<Heap> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  return { heap: usedSize / MEGABYTE, nodes };
}

/** Returns the sum of the extension hosts that descend from this process. */
async function hostMemory(): Promise<number> {
  const processes = await processesOfSystem();
  const ours = descendants(process.pid, processes);
  const hosts = ours.filter(({ command }) => command.includes('--type=extensionHost'));
  if (hosts.length === 0) throw new Error('No extension host runs under this process.');
  const sizes = await Promise.all(hosts.map(({ pid }) => residentBytes(pid)));
  return sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE;
}

interface SystemProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

async function processesOfSystem(): Promise<SystemProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return (await Promise.all(pids.map(readProcess))).filter((found) => found !== undefined);
}

/** @returns undefined if the process has ended meanwhile. */
async function readProcess(pid: number): Promise<SystemProcess | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return { pid, parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]), command };
  } catch (error) {
    if (isOfEnded(error)) return undefined;
    throw error;
  }
}

function isOfEnded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}

function descendants(pid: number, processes: readonly SystemProcess[]): SystemProcess[] {
  const children = processes.filter(({ parent }) => parent === pid);
  return [...children, ...children.flatMap((child) => descendants(child.pid, processes))];
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1]) * 1024;
}

export function showSample({ turn, page, nodes, away, host }: Sample): void {
  const bar = '█'.repeat(Math.round(host / 10));
  const without = `  (${away.heap.toFixed(1)} MB, ${away.nodes} without the panel)`;
  const cells = [`${page.toFixed(1)} MB`, `${nodes} nodes`, without, `${host.toFixed(0)} MB`];
  console.log(`turn ${String(turn).padStart(4)}${cells.map((cell) => cell.padStart(13)).join('')}  ${bar}`);
}

const CURVES: Readonly<Record<string, (sample: Sample) => number>> = {
  page: ({ page }) => page,
  'page without panel': ({ away }) => away.heap,
  nodes: ({ nodes }) => nodes,
  'nodes without panel': ({ away }) => away.nodes,
  host: ({ host }) => host,
};

/** Compares the last third of the samples with the middle one. The first third contains what is loaded once. */
export function trendOf(samples: readonly Sample[]): string[] {
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(-third)];
  const mean = (of: readonly Sample[], read: (sample: Sample) => number) =>
    of.reduce((sum, sample) => sum + read(sample), 0) / of.length;
  return Object.entries(CURVES).map(([name, read]) => {
    const [before, after] = [mean(middle, read), mean(last, read)];
    return `${name.padEnd(22)}${before.toFixed(1).padStart(10)} -> ${after.toFixed(1)} (${(after / before).toFixed(2)})`;
  });
}
