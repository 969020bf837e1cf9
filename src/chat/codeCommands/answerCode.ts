const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*$/;

/**
 * Returns the content of the longest fenced block of an answer. A block without an end extends to the end of the
 * answer.
 * @returns undefined if there is no block, so that prose is never taken for code.
 */
export function codeOf(answer: string): string | undefined {
  const blocks = fencedBlocks(answer.replaceAll('\r\n', '\n').split('\n'));
  return blocks.reduce<string | undefined>(
    (longest, block) => (longest === undefined || block.length > longest.length ? block : longest),
    undefined,
  );
}

function fencedBlocks(lines: readonly string[]): string[] {
  const blocks: string[] = [];
  let open: { readonly fence: string; readonly from: number } | undefined;
  lines.forEach((line, index) => {
    if (open === undefined) {
      const fence = FENCE.exec(line)?.[1];
      if (fence !== undefined) open = { fence, from: index + 1 };
    } else if (closes(line, open.fence)) {
      blocks.push(lines.slice(open.from, index).join('\n'));
      open = undefined;
    }
  });
  return open === undefined ? blocks : [...blocks, lines.slice(open.from).join('\n')];
}

/** A closing fence uses the same character as the opening one, is at least as long, and has nothing beside it. */
function closes(line: string, fence: string): boolean {
  const end = line.trim();
  return end.length >= fence.length && end === (fence[0] ?? '').repeat(end.length);
}

/** The commit message in an answer, without a fence around all of it. */
export function messageOf(answer: string): string {
  const text = answer.trim();
  return FENCE.test(text.split('\n', 1)[0] ?? '') ? (codeOf(text) ?? text).trim() : text;
}
