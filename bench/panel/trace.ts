/** Measures how busy the page's main thread is, from the browser's trace. */
import type { CDPSession, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Elapsed time and CPU time of the thread, in microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface Busy {
  /** Milliseconds in which the main thread was in a task. On a busy machine, this includes time of other processes. */
  readonly wallMs: number;
  /** Milliseconds of CPU time in the same tasks. */
  readonly cpuMs: number;
  /** Milliseconds of CPU time in the longest of these tasks. */
  readonly longestMs: number;
  /** Milliseconds of CPU time in the requested steps of these tasks, by name. */
  readonly steps: Readonly<Record<string, number>>;
}

const TASKS = 'disabled-by-default-devtools.timeline';
const TASK = 'RunTask';
const STEPS = 'devtools.timeline';

/**
 * Runs `work` with the browser's tracing and adds up the tasks of the page's main thread.
 * @param steps names in the browser's timeline, such as `Layout`, which are traced too.
 */
export async function traced(page: Page, work: () => Promise<unknown>, steps: readonly string[] = []): Promise<Busy> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: [TASKS, '__metadata', ...(steps.length === 0 ? [] : [STEPS])] },
  });
  await work();
  await stopped(session);
  await session.detach();
  return busyOf(events, steps);
}

async function stopped(session: CDPSession): Promise<void> {
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.end');
  await complete;
}

/** Adds up the tasks of the main thread. If there are several renderers, the busiest one has the measured page. */
function busyOf(events: readonly TraceEvent[], steps: readonly string[]): Busy {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const all = mains.map(({ pid, tid }) => {
    const own = events.filter((event) => event.pid === pid && event.tid === tid);
    const tasks = own.filter(({ name }) => name === TASK);
    const cpuOf = (step: string) => sumMs(own.filter(({ name }) => name === step).map(({ tdur }) => tdur));
    return {
      wallMs: sumMs(tasks.map(({ dur }) => dur)),
      cpuMs: sumMs(tasks.map(({ tdur }) => tdur)),
      longestMs: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
      steps: Object.fromEntries(steps.map((step) => [step, cpuOf(step)])),
    };
  });
  const busiest = all.toSorted((a, b) => b.wallMs - a.wallMs)[0];
  if (busiest === undefined || busiest.wallMs === 0) throw new Error('The trace has no tasks of a main thread.');
  return busiest;
}

function sumMs(micros: readonly (number | undefined)[]): number {
  return micros.reduce<number>((sum, value) => sum + (value ?? 0), 0) / 1000;
}
