/** Compares what Apply makes of an answer with what the change makes of the file. */
import { containersFor } from '../../src/chat/apply/containers.ts';
import { propose } from '../../src/chat/apply/proposal.ts';
import type { WrittenAnswer } from './answers.ts';
import type { CommitChange } from './changes.ts';
import type { ParsedItem } from './parsedItems.ts';

/**
 * `found`: asks where a new item goes that the answer shows no place for, and offers the right one; `open`: does not offer it.
 * `elsewhere`: the lines of the change in another order; `other`: keeps all lines of the file and differs.
 */
export const OUTCOMES = ['right', 'found', 'open', 'asks', 'elsewhere', 'other', 'lost'] as const;
type Outcome = (typeof OUTCOMES)[number];

export interface JudgedAnswer {
  readonly outcome: Outcome;
  readonly result: string | undefined;
}

/** @param removed The items that the change removes, which no answer but a whole file shows. */
export function judge(
  change: CommitChange,
  { code, isPlaceOpen }: WrittenAnswer,
  removed: readonly ParsedItem[],
): JudgedAnswer {
  const { path, before, after } = change;
  const result = propose(before, code, path);
  const lines = before.split('\n');
  const kept = removed.map(({ start, end }) => plainLines(lines.slice(start, end), path));
  if (result === undefined) {
    if (!isPlaceOpen) return { outcome: 'asks', result };
    const places = containersFor(before, code, path);
    return { outcome: places.some(({ text }) => isRight(change, text, kept)) ? 'found' : 'open', result };
  }
  if (isRight(change, result, kept)) return { outcome: 'right', result };
  if (lostLines(change, result).length > 0) return { outcome: 'lost', result };
  const sorted = (text: string) => plainLines(text.split('\n'), path).sort().join('\n');
  return { outcome: sorted(result) === sorted(after) ? 'elsewhere' : 'other', result };
}

/** Blank lines and the indentation that the file has instead of the answer's do not matter, unless they have a meaning. */
function plainLines(lines: readonly string[], path: string): string[] {
  const isIndented = /\.(?:py|ya?ml|md)$/.test(path);
  return lines.map((line) => (isIndented ? line.trimEnd() : line.trim())).filter((line) => line !== '');
}

const IMPORT = /^\s*(?:import|use|using|from|#include)\b.*\S/;

/** Another order of imports, and items that the answer does not show to be removed, are right, too. */
function isRight({ path, after }: CommitChange, result: string, removed: readonly (readonly string[])[]): boolean {
  const wanted = plainLines(after.split('\n'), path);
  let is = plainLines(result.split('\n'), path);
  for (const item of removed) {
    const at = is.findIndex((_, index) => item.every((line, offset) => is[index + offset] === line));
    if (at !== -1 && is.length - item.length >= wanted.length) is = is.toSpliced(at, item.length);
  }
  const imports = (lines: readonly string[]) => lines.filter((line) => IMPORT.test(line)).sort();
  const others = (lines: readonly string[]) => lines.filter((line) => !IMPORT.test(line));
  return [imports, others].every((part) => part(is).join('\n') === part(wanted).join('\n'));
}

/** The lines that the change keeps and the result lacks. */
export function lostLines({ before, after }: CommitChange, result: string): readonly string[] {
  const counts = (text: string) => {
    const all = new Map<string, number>();
    for (const line of text.split('\n')) {
      const plain = line.trim().replace(/,$/, '');
      if (/\w/.test(plain)) all.set(plain, (all.get(plain) ?? 0) + 1);
    }
    return all;
  };
  const [old, wanted, is] = [before, after, result].map(counts) as [
    Map<string, number>,
    Map<string, number>,
    Map<string, number>,
  ];
  return [...old].flatMap(([line, count]) =>
    (is.get(line) ?? 0) < Math.min(count, wanted.get(line) ?? 0) ? [line] : [],
  );
}
