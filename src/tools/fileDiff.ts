import { structuredPatch } from 'diff';
import type { FileDiffLine } from '../pages/connectTool/protocol.ts';
import { replaceKeys } from '../secrets/keyReplacement.ts';

/** The number of unchanged lines shown around each change. */
const CONTEXT = 3;

/** Returns the changed lines between two texts, with keys and passwords masked. */
export function diffLines(before: string, after: string): FileDiffLine[] {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: CONTEXT });
  let shown = 0;
  return hunks.flatMap(({ oldStart, oldLines, newStart, lines }): FileDiffLine[] => {
    const isApart = oldStart > shown + 1;
    shown = oldStart + oldLines - 1;
    return [...(isApart ? [{ kind: 'gap' } as const] : []), ...numbered(lines, oldStart, newStart)];
  });
}

function numbered(lines: readonly string[], oldStart: number, newStart: number): FileDiffLine[] {
  let [oldLine, newLine] = [oldStart, newStart];
  return lines.flatMap((line): FileDiffLine[] => {
    const text = maskedLine(line.slice(1).replace(/\r$/, ''));
    switch (line[0]) {
      case '+':
        return [{ kind: 'added', new: newLine++, text }];
      case '-':
        return [{ kind: 'removed', old: oldLine++, text }];
      case ' ':
        return [{ kind: 'same', old: oldLine++, new: newLine++, text }];
      default:
        // The note that the file does not end with a line break.
        return [];
    }
  });
}

const MASK = '••••••••';

/** Shown in place of the tool's local key. */
export const MASKED_KEY = `key_${MASK}`;

/** A value after a name that is typical of keys and passwords. Shorter values are words such as `none`. */
const NAMED =
  /(?<name>(?:key|token|secret|passw(?:or)?d|authorization|credentials?)["']?\s*[:=]\s*["']?(?:bearer\s+)?)(?<value>[^\s"',}]{8,})/gi;
const IN_ADDRESS = /(?<before>:\/\/[^\s:@/]+:)[^\s@/]+(?=@)/g;

/** Masks keys and passwords in a line of the user's file, which may contain those of other services. */
export function maskedLine(line: string): string {
  return replaceKeys(line, MASK)
    .text.replace(IN_ADDRESS, `$<before>${MASK}`)
    .replace(NAMED, (match, name: string, value: string) => (value.includes(MASK) ? match : name + MASK));
}
