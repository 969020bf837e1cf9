const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*$/;

/**
 * The code of an answer: what its longest fenced block holds. A block without an end reaches to the end of the answer.
 * @returns undefined when there is no block, so that words are never taken for code.
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

/** A fence is closed by one of the same kind that is at least as long, and nothing beside it. */
function closes(line: string, fence: string): boolean {
  const end = line.trim();
  return end.length >= fence.length && end === (fence[0] ?? '').repeat(end.length);
}

/** A message as it goes into the box for it: a fence around all of it is not part of it. */
export function messageOf(answer: string): string {
  const text = answer.trim();
  return FENCE.test(text.split('\n', 1)[0] ?? '') ? (codeOf(text) ?? text).trim() : text;
}
