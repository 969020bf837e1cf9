/** Prints the figures as a readable table. */
import type { BlockedHost } from './blockedHost.ts';
import type { Cancellation } from './cancellation.ts';
import type { Row } from './compare.ts';
import { BASELINE } from './programs.ts';
import type { SlowStreams } from './slowStreams.ts';
import type { Start } from './starts.ts';

const WORK = 46;
const TARGET = 22;
const CELL = 30;

export function showHead(): void {
  const cells = ['CPU (ratio, goal)', 'first byte', 'whole answer'].map((name) => name.padEnd(CELL));
  console.log(`${'work'.padEnd(WORK)}${'target'.padEnd(TARGET)}${cells.join('')}`);
}

export function showRow({ work, unit, target, result, ratio, goals }: Row): void {
  const isOurs = target !== BASELINE && target !== 'direct';
  const cell = (text: string, by: number, goal: number | undefined) =>
    `${text} (${by.toFixed(2)}${isOurs && goal !== undefined ? verdict(by, goal) : ''})`.padEnd(CELL);
  const cpu =
    target === 'direct' ? ''.padEnd(CELL) : cell(cpuText(result.cpuMicros, unit), ratio.cpuMicros, goals.cpuMicros);
  const first = cell(`${result.firstByteMs.toFixed(2)} ms`, ratio.firstByteMs, goals.firstByteMs);
  const total = cell(`${result.totalMs.toFixed(2)} ms`, ratio.totalMs, goals.totalMs);
  console.log(`${work.padEnd(WORK)}${target.padEnd(TARGET)}${cpu}${first}${total}`);
}

/** Formats microseconds per request; for events, seconds per 100,000 of them. */
function cpuText(micros: number, unit: Row['unit']): string {
  return unit === 'request' ? `${micros.toFixed(0)} µs` : `${(micros / 10).toFixed(3)} s/100k`;
}

function verdict(value: number, goal: number): string {
  return `, goal ${goal}${value <= goal ? '' : ': missed'}`;
}

export function showSlowStreams(measured: readonly SlowStreams[]): void {
  const baseline = measured.find(({ target }) => target === BASELINE);
  for (const { target, cpuMicrosPerEvent, memoryPerStream } of measured) {
    const by = cpuMicrosPerEvent / (baseline?.cpuMicrosPerEvent ?? Number.NaN);
    const cpu = `${cpuText(cpuMicrosPerEvent, 'event')} (${by.toFixed(2)}${target === BASELINE ? '' : verdict(by, 1.1)})`;
    const kilobytes = memoryPerStream / 1000;
    const memory = `${kilobytes.toFixed(0)} KB a stream${target === BASELINE ? '' : verdict(kilobytes, 50)}`;
    console.log(`${'500 slow streams at once'.padEnd(WORK)}${target.padEnd(TARGET)}${cpu.padEnd(CELL)}${memory}`);
  }
}

export function showStarts(measured: readonly Start[]): void {
  for (const { target, startMs, startCpuMs, idleMemory } of measured) {
    const isOurs = target !== BASELINE;
    const megabytes = idleMemory / 1e6;
    const time = `${startMs.toFixed(0)} ms${isOurs ? verdict(startMs, 250) : ''}, ${startCpuMs.toFixed(0)} ms of CPU`;
    const memory = `${megabytes.toFixed(0)} MB idle${isOurs ? verdict(megabytes, 90) : ''}`;
    console.log(`${'start to listening'.padEnd(WORK)}${target.padEnd(TARGET)}${time.padEnd(CELL + 8)}${memory}`);
  }
}

export function showBlockedHost({ freeMs, blockedMs }: BlockedHost): void {
  const ratio = blockedMs / freeMs;
  const text = `${blockedMs.toFixed(2)} ms, free ${freeMs.toFixed(2)} ms (${ratio.toFixed(2)})`;
  console.log(`${'JSON answer, extension host blocked'.padEnd(WORK)}${'worker'.padEnd(TARGET)}${text}`);
}

export function showCancellation(measured: readonly Cancellation[]): void {
  for (const { moment, medianMs, longestMs } of measured) {
    const text = `${medianMs.toFixed(1)} ms, longest ${longestMs.toFixed(1)} ms${verdict(longestMs, 50).slice(0)}`;
    console.log(`${`client leaves: ${moment}`.padEnd(WORK + 6)}${text}`);
  }
}
