/**
 * Compares scrolling through the traffic view, or the page of a session (`--page session`), with a page of plain lines with as many rows, one after the other in the
 * same run. A frame that is more than half a frame late counts as dropped. On a busy machine, the CPU time of the
 * page's main thread in the browser's trace is more meaningful. `--rows N` (1000), `--rounds N` (3), `--way WORDS`.
 */
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../scripts/lib/chromium.ts';
import { startGallery } from '../scripts/lib/galleryServer.ts';
import { median } from './load.ts';
import { traced } from './panel/trace.ts';
import { PLAIN, type Subject, sessionOf, trafficOf } from './traffic/pages.ts';
import { WAYS, type Way } from './traffic/ways.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    way: { type: 'string', default: '' },
    page: { type: 'string', default: 'traffic' },
  },
});

/** One and a half times the interval between two frames of a 60 Hz screen. */
const LATE_MS = (1000 / 60) * 1.5;
/** Names in the browser's timeline. */
const STEPS = ['FunctionCall', 'UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit'];

/** Counts frames in the page from now on. */
const WATCH = `{
  window.gaps = [];
  let before;
  const look = (now) => {
    if (before !== undefined) gaps.push(now - before);
    before = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}`;

interface Scrolling {
  readonly frames: number;
  readonly dropped: number;
  readonly longestMs: number;
  /** CPU milliseconds of the main thread per frame. */
  readonly cpuMs: number;
  readonly steps: Readonly<Record<string, number>>;
}

async function measure(browser: Browser, subject: Subject, way: Way): Promise<Scrolling> {
  const page = await subject.open(browser, Number(values.rows));
  await page.evaluate(WATCH);
  let gaps: number[] = [];
  const work = async () => {
    await way.scroll(page, subject.scroller);
    gaps = await page.evaluate<number[]>('gaps');
  };
  const { cpuMs, steps } = await traced(page, work, STEPS);
  await page.close();
  return {
    frames: gaps.length,
    dropped: gaps.filter((gap) => gap > LATE_MS).length,
    longestMs: Math.max(...gaps),
    cpuMs: cpuMs / gaps.length,
    steps: Object.fromEntries(Object.entries(steps).map(([name, ms]) => [name, ms / gaps.length])),
  };
}

function show(name: string, rounds: readonly Scrolling[]): void {
  const of = (value: (each: Scrolling) => number) => median(rounds.map(value));
  const dropped = rounds.map((each) => each.dropped).join(', ');
  const steps = STEPS.map((step) => `${step} ${of((each) => each.steps[step] ?? 0).toFixed(2)}`).join(', ');
  const frames = of((each) => each.frames).toFixed(0);
  const longest = of(({ longestMs }) => longestMs).toFixed(0);
  console.log(`  ${name.padEnd(8)} dropped ${dropped} of ${frames} frames, the longest ${longest} ms`);
  console.log(`  ${''.padEnd(8)} CPU of a frame ${of(({ cpuMs }) => cpuMs).toFixed(2)} ms: ${steps}`);
}

const gallery = await startGallery();
const browser = await launchChromium();
try {
  const subjects = [PLAIN, (values.page === 'session' ? sessionOf : trafficOf)(gallery.address)];
  for (const way of WAYS.filter(({ name }) => name.includes(values.way))) {
    const measured = subjects.map(({ name }) => ({ name, rounds: [] as Scrolling[] }));
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const [nth, subject] of subjects.entries()) {
        measured[nth]?.rounds.push(await measure(browser, subject, way));
      }
    }
    console.log(`${way.name}, ${values.rows} rows`);
    for (const { name, rounds } of measured) show(name, rounds);
  }
} finally {
  await browser.close();
  await gallery.stop();
}
