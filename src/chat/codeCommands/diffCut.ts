import { trimmed } from '../context/trim.ts';
import type { Attachment } from '../conversation/record.ts';

/** A longer diff adds little about a commit beyond its beginning and the names of its files. */
const MAX_DIFF_TOKENS = 24_000;

/** Cuts the diff to about this many tokens. A cut diff begins with the list of its files. */
export function cutDiff(diff: Attachment, maxTokens = MAX_DIFF_TOKENS): Attachment {
  if ((diff.tokens ?? 0) <= maxTokens) return diff;
  const files = filesOf(diff.text);
  const head = [`${files.length} files are changed:`, ...files.slice(0, 500), '', ''].join('\n');
  return trimmed({ ...diff, text: head + diff.text }, maxTokens);
}

/** Reads the paths from Git's header of each file's part. */
function filesOf(diff: string): string[] {
  return [...diff.matchAll(/^diff --git (?:"?a\/.*"?) "?b\/(.*?)"?$/gm)].map(([, path = '']) => path);
}
