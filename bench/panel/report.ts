/** Prints the figures as a readable table, with ratios to plain text and the goals. */
import type { Opening, Scrolling, Streaming } from './measures.ts';

const WORK = 34;
const CELL = 14;

export function showOpening(measured: readonly Opening[]): void {
  head('open a long conversation');
  row(measured, 'on the screen', ({ shownMs }) => shownMs, 'ms', 300);
  row(measured, 'CPU until then', ({ shownCpuMs }) => shownCpuMs, 'ms');
  row(measured, 'CPU after it', ({ restCpuMs }) => restCpuMs, 'ms');
}

export function showScrolling(measured: readonly Scrolling[]): void {
  head('scroll from its end to its start');
  row(measured, 'late frames', ({ late, frames }) => (late / frames) * 100, '%');
  row(measured, 'CPU of a frame', ({ cpuMsPerFrame }) => cpuMsPerFrame, 'ms', 1000 / 60);
}

export function showStreaming(measured: readonly Streaming[]): void {
  head(`stream 300 tokens a second for ${measured[0]?.seconds.toFixed(0)} s`);
  row(measured, 'main thread busy', ({ busy }) => busy * 100, '%', 50);
  row(measured, 'main thread on the CPU', ({ cpu }) => cpu * 100, '%', 50);
  row(measured, 'key to paint, median', ({ keyMedianMs }) => keyMedianMs, 'ms', 50);
  row(measured, 'key to paint, longest', ({ keyLongestMs }) => keyLongestMs, 'ms');
}

function head(title: string): void {
  const cells = ['plain text', 'panel', 'ratio'].map((name) => name.padStart(CELL)).join('');
  console.log(`\n${title.padEnd(WORK)}${cells}`);
}

/** Prints a row. The first element of `measured` is plain text, the second is the panel. */
function row<T>(measured: readonly T[], name: string, value: (of: T) => number, unit: string, goal?: number): void {
  const [plain = Number.NaN, panel = Number.NaN] = measured.map(value);
  const cells = [`${plain.toFixed(1)} ${unit}`, `${panel.toFixed(1)} ${unit}`, (panel / plain).toFixed(2)];
  const verdict = goal === undefined ? '' : `   goal ${goal.toFixed(0)} ${unit}${panel <= goal ? '' : ': missed'}`;
  console.log(`${name.padEnd(WORK)}${cells.map((cell) => cell.padStart(CELL)).join('')}${verdict}`);
}
