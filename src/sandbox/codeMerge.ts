/** Merges of code into a file, which the sandbox's model answers with an edit at the end of the file. */
import type { ChatRequest } from '../formats/conversation.ts';

const DATA = /<file>\n([\s\S]*)\n<\/file>\n[\s\S]*<code>\n([\s\S]*)\n<\/code>$/;

/** Returns undefined if the request is none to merge code. */
export function mergeCode({ system, messages }: ChatRequest): string | undefined {
  const [prompt] = system;
  const [question] = messages;
  const part = question?.role === 'user' ? question.parts[0] : undefined;
  if (prompt === undefined || !prompt.text.includes('SEARCH/REPLACE') || part?.type !== 'text') return undefined;
  const [, file = '', code = ''] = DATA.exec(part.text) ?? [];
  const lines = file.trimEnd().split('\n');
  const found = lines.map((_, index) => lines.slice(lines.length - 1 - index).join('\n'));
  const last = found.find((end) => file.split(end).length === 2) ?? file;
  const written = code.split('\n').filter((line) => !/^\s*(?:\/\/|#|\/\*|<!--)\s*(?:\.{3}|…)/.test(line));
  return ['<<<<<<< SEARCH', last, '=======', last, '', ...written, '>>>>>>> REPLACE'].join('\n');
}
