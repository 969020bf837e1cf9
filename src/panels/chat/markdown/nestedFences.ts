import type { Tokens } from 'marked';

const OPENING = /^ {0,3}(`{3,}|~{3,})([^`\n]*)\n/;
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*?)[ \t]*$/gm;
/** The longest text in which the end of a block is looked for, in characters. */
const MAX_LENGTH = 100_000;

/** @param info what is behind the fence with which a block of code begins. */
export function isMarkdown(info = ''): boolean {
  return /^\s*(?:markdown|md|mdx)(?![\w-])/i.test(info);
}

/**
 * Reads a block of Markdown with blocks of code in it, whose fences are as long as its own. By the standard, the end of the
 * first of them would also end the block. Returns undefined for other blocks, and if their fences are not pairs.
 */
export function nestedFences(source: string): Tokens.Code | undefined {
  const [head, fence = '', info = ''] = OPENING.exec(source) ?? [];
  if (head === undefined || !isMarkdown(info)) return undefined;
  let depth = 0;
  let isNested = false;
  for (const { 0: line, 1: other = '', 2: language, index } of source.slice(0, MAX_LENGTH).matchAll(FENCE)) {
    if (index < head.length || other[0] !== fence[0] || other.length < fence.length) continue;
    if (language !== '') {
      depth += 1;
      isNested = true;
    } else if (depth > 0) depth -= 1;
    else {
      const raw = source.slice(0, index + line.length + 1);
      const text = source.slice(head.length, Math.max(head.length, index - 1));
      return isNested ? { type: 'code', raw, lang: info.trim(), text } : undefined;
    }
  }
  return undefined;
}
