/** Compares what Apply makes of an answer with what the change makes of the file. */
import { diffArrays } from 'diff';
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
  const kept = removed.map(({ start, end }) => written(lines.slice(start, end)).join('\n'));
  if (result === undefined) {
    if (!isPlaceOpen) return { outcome: 'asks', result };
    const places = containersFor(before, code, path);
    return { outcome: places.some(({ text }) => isRight(text, after, kept)) ? 'found' : 'open', result };
  }
  if (isRight(result, after, kept)) return { outcome: 'right', result };
  if (lostLines(change, result).length > 0) return { outcome: 'lost', result };
  const sorted = (text: string) => written(text.split('\n')).sort().join('\n');
  return { outcome: sorted(result) === sorted(after) ? 'elsewhere' : 'other', result };
}

function written(lines: readonly string[]): string[] {
  return lines.map((line) => line.trimEnd()).filter((line) => line !== '');
}

/** Other blank lines, another order of imports, and items that the answer does not show to be removed are right, too. */
function isRight(result: string, after: string, removed: readonly string[]): boolean {
  const isImport = (line: string) => /^\s*(?:import|use|using|from|#include)\b.*\S/.test(line);
  const [is, wanted] = [result, after].map((text) => written(text.split('\n'))) as [string[], string[]];
  const imports = (lines: readonly string[]) => lines.filter(isImport).sort().join('\n');
  const others = (lines: readonly string[]) => lines.filter((line) => !isImport(line));
  if (imports(is) === imports(wanted) && others(is).join('\n') === others(wanted).join('\n')) return true;
  const parts = diffArrays(wanted, is);
  const isKept = (lines: readonly string[]) => {
    let rest = lines.join('\n');
    for (const item of removed) rest = rest.replace(item, '');
    return rest.trim() === '';
  };
  return parts.every(({ value, added, removed: isGone }) => !isGone && (!added || isKept(value)));
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
