/** How busy the page's main thread was, from the browser's own trace. */
import type { CDPSession, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds: on the clock, and of the thread's CPU. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface Busy {
  /** Milliseconds in which the main thread was in a task. On a busy machine others' time is in it. */
  readonly wallMs: number;
  /** Milliseconds of CPU in the same tasks. */
  readonly cpuMs: number;
}

const TASKS = 'disabled-by-default-devtools.timeline';
const TASK = 'RunTask';

/** Runs `work` under the tracing of the browser and adds up the tasks of the page's main thread. */
export async function traced(page: Page, work: () => Promise<unknown>): Promise<Busy> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: [TASKS, '__metadata'] },
  });
  await work();
  await stopped(session);
  await session.detach();
  return busyOf(events);
}

async function stopped(session: CDPSession): Promise<void> {
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.end');
  await complete;
}

/** Of several renderers the busiest is the one with the page that is measured; others are idle. */
function busyOf(events: readonly TraceEvent[]): Busy {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const all = mains.map(({ pid, tid }) => {
    const tasks = events.filter((event) => event.pid === pid && event.tid === tid && event.name === TASK);
    return { wallMs: sumMs(tasks.map(({ dur }) => dur)), cpuMs: sumMs(tasks.map(({ tdur }) => tdur)) };
  });
  const busiest = all.toSorted((a, b) => b.wallMs - a.wallMs)[0];
  if (busiest === undefined || busiest.wallMs === 0) throw new Error('The trace has no tasks of a main thread.');
  return busiest;
}

function sumMs(micros: readonly (number | undefined)[]): number {
  return micros.reduce<number>((sum, value) => sum + (value ?? 0), 0) / 1000;
}
