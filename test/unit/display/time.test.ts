import assert from 'node:assert/strict';
import { formatAgo, formatDuration, formatLatency, formatSeconds, formatSpeed } from '../../../src/display/time.ts';

type Cases = readonly (readonly [number, string])[];

function shows(format: (value: number) => string, cases: Cases): void {
  for (const [value, text] of cases) {
    it(`shows ${value} as ${text}`, () => assert.equal(format(value), text));
  }
}

describe('a duration', () => {
  shows(formatDuration, [
    [10, '<\u20090.1 s'],
    [80, '0.1 s'],
    [912, '0.9 s'],
    [3100, '3.1 s'],
    [9949, '9.9 s'],
    [9950, '10 s'],
    [14_200, '14 s'],
    [59_600, '1 min'],
    [125_000, '2 min 5 s'],
    [3_600_000, '1 h'],
    [11_520_000, '3 h 12 min'],
    [7_199_000, '2 h'],
  ]);
});

describe('elapsed time', () => {
  shows(formatSeconds, [
    [0, '0 s'],
    [900, '1 s'],
    [14_200, '14 s'],
    [65_000, '1 min 5 s'],
  ]);
});

describe('a latency', () => {
  shows(formatLatency, [
    [0.4, '0 ms'],
    [80, '80 ms'],
    [999.6, '1.0 s'],
    [1400, '1.4 s'],
  ]);
});

describe('an age', () => {
  shows(formatAgo, [
    [100, 'just now'],
    [20_000, '20 s ago'],
    [360_000, '6 min ago'],
    [10_800_000, '3 h ago'],
    [90_000_000, '1 day ago'],
    [180_000_000, '2 days ago'],
  ]);
});

describe('a speed', () => {
  shows(formatSpeed, [
    [0, '0 tok/s'],
    [0.3, '<\u20091 tok/s'],
    [57.6, '58 tok/s'],
  ]);
});
