/** Indentation in the unit of the file, whatever unit a model has answered in. */
import { type CursorContext, indentOf, linePrefix } from './place.ts';

/** A line after which a deeper one begins. */
export const OPENS_BLOCK = /(?:[{[(]|=>|:|\b(?:then|do|else|begin))\s*$/;
/** How many columns a tab counts for in a text that mixes tabs and spaces. */
const TAB_WIDTH = 4;
/** What an answer may be indented with, the most common first. */
const UNITS: readonly string[] = ['  ', '    ', '\t', '   ', '        '];

/**
 * The unit that most lines use which are deeper than the line before them; undefined if none is.
 * @param start the indentation of the line before the text.
 */
export function unitOf(text: string, start = ''): string | undefined {
  const counts = new Map<string, number>();
  let previous = start;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const indent = indentOf(line);
    const step = indent.startsWith(previous) ? indent.slice(previous.length) : '';
    if (UNITS.includes(step)) counts.set(step, (counts.get(step) ?? 0) + 1);
    previous = indent;
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/**
 * Gives the lines of an answer the unit of the file. An answer may have another unit, or count its indentation from the
 * cursor's line instead of from the beginning of the line.
 * @param text begins at the cursor: its first line continues the cursor's line.
 */
export function withUnitOfFile(text: string, place: CursorContext): string {
  const [first = '', ...rest] = text.split('\n');
  const unit = unitOf(`${place.before}\n${place.after}`) ?? place.indentUnit;
  if (unit === undefined || rest.every((line) => line.trim() === '')) return text;
  const prefix = linePrefix(place);
  const base = levelOf(indentOf(prefix), unit);
  const isDeeper = OPENS_BLOCK.test(prefix.trim() === '' ? first : `${prefix}${first}`);
  const reading = readingOf(rest, { unit, expected: isDeeper ? base + 1 : base, base, isDeeper });
  if (reading === undefined) return text;
  return [first, ...rest.map((line) => rewritten(line, unit, reading))].join('\n');
}

interface Expectation {
  /** The file's unit. */
  readonly unit: string;
  /** The levels of the cursor's line, and of the line after the first one. */
  readonly base: number;
  readonly expected: number;
  /** Whether the first line opens a block, so that the next one must be deeper. */
  readonly isDeeper: boolean;
}

/** How an answer is indented: in which unit, and from which level. */
interface Reading {
  readonly unit: string;
  readonly from: number;
}

/** Returns undefined if the answer is indented like the file, or if its indentation cannot be told. */
function readingOf(lines: readonly string[], { unit, base, expected, isDeeper }: Expectation): Reading | undefined {
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  const [second = ''] = indents;
  const shown = unitOf(lines.join('\n'), second);
  const units = [unit, ...UNITS.filter((each) => each !== unit)].filter((each) => isMadeOf(indents, each));
  const isShown = (each: string) => shown === undefined || shown === each || isMadeOf([shown], each);
  const absolute = units.filter((each) => second === each.repeat(expected) && isShown(each));
  const relative = isDeeper && base > 0 ? units.find((each) => second === each.repeat(expected - base)) : undefined;
  // The block's end is as deep as the cursor's line.
  const whole = absolute.find((each) => indents.every((indent) => levelOf(indent, each) >= base));
  const isRelative = whole === undefined && relative !== undefined;
  const read = isRelative ? relative : (whole ?? absolute[0]);
  if (read !== undefined) return read === unit && !isRelative ? undefined : { unit: read, from: isRelative ? base : 0 };
  // Tabs among spaces, or spaces among tabs, are wrong at any level.
  if (indents.every((indent) => indent === '' || (indent[0] === '\t') === (unit[0] === '\t'))) return undefined;
  return { unit: shown ?? units[0] ?? ' '.repeat(TAB_WIDTH), from: 0 };
}

function isMadeOf(indents: readonly string[], unit: string): boolean {
  return indents.every((indent) => indent.replaceAll(unit, '') === '');
}

function rewritten(line: string, unit: string, { unit: written, from }: Reading): string {
  if (line.trim() === '') return line;
  const indent = indentOf(line);
  const level = levelOf(indent, written);
  const aligned = isMadeOf([indent], written) ? '' : ' '.repeat(columnsOf(indent) - level * columnsOf(written));
  return unit.repeat(level + from) + aligned + line.slice(indent.length);
}

function levelOf(indent: string, unit: string): number {
  return Math.floor(columnsOf(indent) / columnsOf(unit));
}

function columnsOf(indent: string): number {
  return indent.replaceAll('\t', ' '.repeat(TAB_WIDTH)).length;
}
