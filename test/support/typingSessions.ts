/**
 * Ten minutes of typing, generated: the keys of a source file with the pauses of a person who writes code. The pauses
 * follow what is known of typing in general (Dhakal et al., Observations on Typing from 136 Million Keystrokes, 2018: a
 * mean of 240 ms between two keys, 120 ms for the fastest): log-normal within a burst of keys, and much longer at the
 * ends of words, statements, and lines, where people think.
 */

import { randomFrom } from '../unit/gateway/bill/audit.ts';

export interface TypedKey {
  /** Milliseconds since the session began. */
  readonly at: number;
  /** The character, or `\b`, which removes the last one. */
  readonly key: string;
}

export interface Typist {
  readonly seed: number;
  /** The median pause between two keys of a burst, in milliseconds. */
  readonly pauseMs: number;
  /** The share of keys behind a word, and of line breaks, that a person thinks after. */
  readonly thinksAfterWord: number;
  readonly thinksAfterLine: number;
  /** The median time of thinking, in milliseconds. */
  readonly thinkMs: number;
  /** The share of keys that are wrong and corrected. */
  readonly errors: number;
}

export const TYPISTS: Readonly<Record<string, Typist>> = {
  'who types fast and thinks little': {
    seed: 11,
    pauseMs: 125,
    thinksAfterWord: 0.1,
    thinksAfterLine: 0.5,
    thinkMs: 2200,
    errors: 0.04,
  },
  'who types at an average speed': {
    seed: 23,
    pauseMs: 200,
    thinksAfterWord: 0.16,
    thinksAfterLine: 0.6,
    thinkMs: 3000,
    errors: 0.05,
  },
  'who types slowly and thinks much': {
    seed: 37,
    pauseMs: 300,
    thinksAfterWord: 0.25,
    thinksAfterLine: 0.7,
    thinkMs: 4500,
    errors: 0.06,
  },
};

/** How much the pauses of a burst, and those of thinking, differ: the deviation of their logarithms. */
const BURST_SPREAD = 0.4;
const THINKING_SPREAD = 0.8;
const SESSION_MS = 10 * 60_000;

/** Types the text again and again, until ten minutes are over. */
export function typingSession(text: string, typist: Typist): TypedKey[] {
  const random = randomFrom(typist.seed);
  const keys: TypedKey[] = [];
  let at = 0;
  const press = (key: string, pause: number) => {
    at += pause;
    keys.push({ at, key });
  };
  for (let index = 0; at < SESSION_MS; index += 1) {
    const key = text[index % text.length] ?? '';
    const previous = text[(index - 1) % text.length] ?? '\n';
    if (random() < typist.errors) {
      press('x', pauseAfter(previous, typist, random));
      press('\b', logNormal(typist.pauseMs * 1.8, BURST_SPREAD, random));
    }
    press(key, pauseAfter(previous, typist, random));
  }
  return keys;
}

function pauseAfter(previous: string, typist: Typist, random: () => number): number {
  const isWordEnd = /[\s.,;:=()[\]{}]/.test(previous);
  const share = previous === '\n' ? typist.thinksAfterLine : isWordEnd ? typist.thinksAfterWord : 0.01;
  const thinks = random() < share;
  return thinks ? logNormal(typist.thinkMs, THINKING_SPREAD, random) : logNormal(typist.pauseMs, BURST_SPREAD, random);
}

function logNormal(median: number, spread: number, random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return median * Math.exp(spread * normal);
}
