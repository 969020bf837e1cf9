import { trimmed } from '../chat/context/trim.ts';
import type { Attachment } from '../chat/conversation/record.ts';

/** A longer diff says little more about a commit than its beginning and the names of its files. */
const MAX_DIFF_TOKENS = 24_000;

/** The diff with no more than about so many tokens; one that is cut begins with the list of its files. */
export function cutDiff(diff: Attachment, mostTokens = MAX_DIFF_TOKENS): Attachment {
  if ((diff.tokens ?? 0) <= mostTokens) return diff;
  const files = filesOf(diff.text);
  const head = [`${files.length} files are changed:`, ...files.slice(0, 500), '', ''].join('\n');
  return trimmed({ ...diff, text: head + diff.text }, mostTokens);
}

/** By the header of each file's part, as Git writes it. */
function filesOf(diff: string): string[] {
  return [...diff.matchAll(/^diff --git (?:"?a\/.*"?) "?b\/(.*?)"?$/gm)].map(([, path = '']) => path);
}
