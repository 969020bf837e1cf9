/**
 * Finds the lines of a text that a piece of code corresponds to. The code is aligned where the two match best: lines
 * pair, in order, with equal or similar ones, and the text before and after the alignment costs nothing.
 */
import { type ComparedLine, LineIds, similarity } from './similarity.ts';

/** A line of the code: its text, and whether it stands for any number of unchanged lines. */
export interface CodeLine {
  readonly text: string;
  readonly elided: boolean;
}

export interface Pair {
  /** The indexes of the two lines, from 0. */
  readonly line: number;
  readonly code: number;
  readonly similarity: number;
}

export interface Alignment {
  readonly pairs: readonly Pair[];
  /** The lines of the text that each elided line of the code stands for, as a half-open range. */
  readonly kept: ReadonlyMap<number, readonly [number, number]>;
  /** The share of the code, by weight, that is already in the text: 0 to 1. */
  readonly share: number;
}

/** With more pairs of lines, the comparison would take too long. */
const MAX_CELLS = 40_000_000;

/** With more distinct pairs, only equal lines are compared. */
const MAX_SIMILARITIES = 4_000_000;

const MIN_SIMILARITY = 0.4;
/** The cost of a line of the text that the code lacks, and of a line of the code that is new. */
const DROPPED = 0.05;
const ADDED = 0.02;

const STEP = { pair: 1, dropped: 2, added: 3, kept: 4 } as const;

/** Returns undefined if the text is too long to compare. */
export function align(lines: readonly string[], code: readonly CodeLine[]): Alignment | undefined {
  if (lines.length * code.length > MAX_CELLS) return undefined;
  const ids = new LineIds();
  const textLines = lines.map((line) => ids.compare(line));
  const textIds = ids.size;
  const codeLines = code.map(({ text }) => ids.compare(text));
  const exactOnly = ids.size * code.length > MAX_SIMILARITIES;
  const gains = codeLines.map((line, index) =>
    code[index]?.elided ? undefined : gainsOf(line, textLines, textIds, exactOnly),
  );
  const { steps, end } = fill(textLines, gains);
  return trace(steps, end, textLines, codeLines, code);
}

/** The gain of pairing a line of the code with each line of the text, by that line's ID. */
function gainsOf(
  codeLine: ComparedLine,
  textLines: readonly ComparedLine[],
  ids: number,
  exactOnly: boolean,
): Float32Array {
  const gains = new Float32Array(ids).fill(Number.NEGATIVE_INFINITY);
  for (const line of textLines) {
    if (gains[line.id] !== Number.NEGATIVE_INFINITY) continue;
    const alike = exactOnly && line.id !== codeLine.id ? 0 : similarity(codeLine, line);
    if (alike > MIN_SIMILARITY) gains[line.id] = ((alike - MIN_SIMILARITY) / (1 - MIN_SIMILARITY)) * codeLine.weight;
  }
  return gains;
}

/**
 * Fills the dynamic programming table of the best alignment up to each cell, one row per line of the code. Also returns
 * the column where the best alignment ends.
 */
function fill(textLines: readonly ComparedLine[], gains: readonly (Float32Array | undefined)[]) {
  const width = textLines.length + 1;
  const steps = new Uint8Array(width * gains.length);
  let above: Float32Array = new Float32Array(width);
  for (const [row, gain] of gains.entries()) {
    const now = new Float32Array(width);
    const [dropped, added] = gain === undefined ? [0, 0] : [DROPPED, ADDED];
    for (let column = 0; column < width; column += 1) {
      let [best, step]: [number, number] = [(above[column] ?? 0) - added, STEP.added];
      const line = textLines[column - 1];
      if (line !== undefined) {
        const paired = (above[column - 1] ?? 0) + (gain?.[line.id] ?? Number.NEGATIVE_INFINITY);
        const passed = (now[column - 1] ?? 0) - dropped;
        if (paired > best) [best, step] = [paired, STEP.pair];
        if (passed > best) [best, step] = [passed, gain === undefined ? STEP.kept : STEP.dropped];
      }
      now[column] = best;
      steps[row * width + column] = step;
    }
    above = now;
  }
  return { steps, end: indexOfMax(above) };
}

function indexOfMax(values: Float32Array): number {
  return values.reduce((best, value, place) => (value > (values[best] ?? 0) ? place : best), 0);
}

/** Follows the best alignment back from its end. */
function trace(
  steps: Uint8Array,
  end: number,
  textLines: readonly ComparedLine[],
  codeLines: readonly ComparedLine[],
  code: readonly CodeLine[],
): Alignment {
  const pairs: Pair[] = [];
  const kept = new Map<number, readonly [number, number]>();
  let [row, column] = [code.length - 1, end];
  while (row >= 0) {
    const step = steps[row * (textLines.length + 1) + column];
    if (code[row]?.elided === true)
      kept.set(row, [column - (step === STEP.kept ? 1 : 0), kept.get(row)?.[1] ?? column]);
    if (step === STEP.pair) {
      const [line, other] = [textLines[column - 1], codeLines[row]];
      pairs.push({ line: column - 1, code: row, similarity: line && other ? similarity(line, other) : 0 });
    }
    if (step === STEP.pair || step === STEP.added) row -= 1;
    if (step !== STEP.added) column -= 1;
  }
  const written = codeLines.filter((_, index) => code[index]?.elided === false);
  const whole = written.reduce((sum, { weight }) => sum + weight, 0);
  const found = pairs.reduce((sum, pair) => sum + pair.similarity * (codeLines[pair.code]?.weight ?? 0), 0);
  return { pairs: pairs.reverse(), kept, share: whole === 0 ? 0 : found / whole };
}
