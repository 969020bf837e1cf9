import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { ChatState } from '../../src/pages/chat/protocol.ts';
import { median } from '../load.ts';
import { streamedText } from './conversation.ts';
import type { Subject } from './subjects.ts';
import { traced } from './trace.ts';

const TOKENS_PER_SECOND = 300;
const CHARACTERS_PER_TOKEN = 4;
const SCROLLED_PER_FRAME = 120;
const FRAME_MS = 1000 / 60;
const BETWEEN_KEYS_MS = 300;
/** Time for work that the panel does when it is idle. In milliseconds. */
const SETTLE_MS = 4000;

export interface Opening {
  readonly subject: Subject['name'];
  /** Milliseconds from the snapshot to the frame that shows the end of the conversation; the median over the rounds. */
  readonly shownMs: number;
  /** CPU of the main thread until that frame, and afterward until content outside the view is rendered too. */
  readonly shownCpuMs: number;
  readonly restCpuMs: number;
}

export async function measureOpening(
  browser: Browser,
  subjects: readonly Subject[],
  state: ChatState,
  rounds: number,
): Promise<Opening[]> {
  const measured = subjects.map(({ name }) => ({
    name,
    shown: [] as number[],
    cpu: [] as number[],
    rest: [] as number[],
  }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, subject] of subjects.entries()) {
      const page = await subject.prepare(browser, state);
      const opening = await traced(page, async () => {
        measured[index]?.shown.push(await page.evaluate<number>('measureOpen()'));
      });
      const rest = await traced(page, () => wait(SETTLE_MS));
      measured[index]?.cpu.push(opening.cpuMs);
      measured[index]?.rest.push(rest.cpuMs);
      await page.context().close();
    }
  }
  return measured.map(({ name, shown, cpu, rest }) => ({
    subject: name,
    shownMs: median(shown),
    shownCpuMs: median(cpu),
    restCpuMs: median(rest),
  }));
}

export interface Scrolling {
  readonly subject: Subject['name'];
  readonly frames: number;
  /** Frames that took more than one and a half times their regular duration. */
  readonly late: number;
  readonly cpuMsPerFrame: number;
}

export async function measureScrolling(
  browser: Browser,
  subjects: readonly Subject[],
  state: ChatState,
): Promise<Scrolling[]> {
  const measured: Scrolling[] = [];
  for (const subject of subjects) {
    const page = await opened(browser, subject, state);
    let intervals: number[] = [];
    const { cpuMs } = await traced(page, async () => {
      intervals = await page.evaluate<number[]>(`scrollThrough(${SCROLLED_PER_FRAME})`);
    });
    const late = intervals.filter((interval) => interval > FRAME_MS * 1.5).length;
    measured.push({ subject: subject.name, frames: intervals.length, late, cpuMsPerFrame: cpuMs / intervals.length });
    await page.context().close();
  }
  return measured;
}

export interface Streaming {
  readonly subject: Subject['name'];
  readonly seconds: number;
  /** Shares of the time in which the main thread was in a task, and in which it used the CPU. */
  readonly busy: number;
  readonly cpu: number;
  /** Milliseconds from a key press to the next paint, in steps of 8. Values below 16 count as 16. */
  readonly keyMedianMs: number;
  readonly keyLongestMs: number;
}

export async function measureStreaming(
  browser: Browser,
  subjects: readonly Subject[],
  state: ChatState,
  seconds: number,
): Promise<Streaming[]> {
  const text = JSON.stringify(streamedText(seconds * TOKENS_PER_SECOND));
  const rate = TOKENS_PER_SECOND * CHARACTERS_PER_TOKEN;
  const measured: Streaming[] = [];
  for (const subject of subjects) {
    const page = await opened(browser, subject, state);
    await page.evaluate('subject.begin()');
    let took = 0;
    const { wallMs, cpuMs } = await traced(page, async () => {
      const streamed = page.evaluate<number>(`stream(${text}, ${rate})`);
      await typeUntil(page, streamed);
      took = await streamed;
    });
    const keys = await page.evaluate<number[]>('keyLatencies');
    measured.push({
      subject: subject.name,
      seconds: took / 1000,
      busy: wallMs / took,
      cpu: cpuMs / took,
      keyMedianMs: Math.max(16, median(keys.length === 0 ? [16] : keys)),
      keyLongestMs: Math.max(16, ...keys),
    });
    await page.context().close();
  }
  return measured;
}

async function opened(browser: Browser, subject: Subject, state: ChatState): Promise<Page> {
  const page = await subject.prepare(browser, state);
  await page.evaluate('measureOpen()');
  await wait(SETTLE_MS);
  return page;
}

/** Types the next question while the answer arrives. */
async function typeUntil(page: Page, end: Promise<unknown>): Promise<void> {
  const ended = end.then(() => true);
  while (!(await Promise.race([ended, wait(BETWEEN_KEYS_MS, false)]))) await page.keyboard.press('a');
}
