/** Answers requests of the chat and of code commands about attached code, in the requested form. */
import type { ChatRequest, Message } from '../formats/conversation.ts';
import { estimateTokens } from '../tokens/estimate.ts';

export interface AttachedCode {
  /** `Selection from`, `File`, or `Git changes`. */
  readonly kind: string;
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

/** An attachment in the chat's format: a heading, then a fenced code block. */
const ATTACHMENT =
  /^(Selection from|File|Git changes) (?:\(([^\n]+?)\)|([^\n]+?)(?: \([^\n]*\))?):\n(`{3,})([^\n`]*)\n([\s\S]*)\n\4$/;

const ASKS_FOR_CODE = /\bin one fenced code block\b/i;
/** In all languages of the interface, because the chat's prompt is in the user's language. */
const ASKS_FOR_TABLE = /\btable\b|\bTabelle\b|表格/i;
const ASKS_FOR_MESSAGE = /^Write a commit message\b/im;

/**
 * Returns the attached code with a comment, its summary in a table, or a commit message about the attached diff.
 * @returns undefined if the question asks for none of them or nothing suitable is attached.
 */
export function answerAboutCode(request: ChatRequest, question: string): string | undefined {
  const last = request.messages.findLast(({ role }) => role === 'user');
  const attached = last === undefined ? [] : attachedTo(last);
  if (ASKS_FOR_MESSAGE.test(question)) {
    const diff = attached.find(({ kind }) => kind === 'Git changes');
    return diff && messageAbout(diff.text);
  }
  const code =
    attached.findLast(({ kind }) => kind === 'Selection from') ?? attached.findLast(({ kind }) => kind === 'File');
  if (code === undefined) return undefined;
  if (ASKS_FOR_CODE.test(question)) return withComment(code);
  return ASKS_FOR_TABLE.test(question) ? summary(code) : undefined;
}

export function attachedTo({ role, parts }: Message): AttachedCode[] {
  if (role !== 'user') return [];
  return parts.flatMap((part) => {
    const match = part.type === 'text' ? ATTACHMENT.exec(part.text) : null;
    if (match === null) return [];
    const [, kind = '', label, path = label ?? '', , language = '', text = ''] = match;
    return [{ kind, path, language, text }];
  });
}

/** Headings, a table, and a formula with figures of the text itself. */
function summary({ path, text }: AttachedCode): string {
  const lines = text.split('\n');
  const blank = lines.filter((line) => line.trim() === '').length;
  const words = text.match(/\p{L}[\p{L}\p{N}_]{0,1000}/gu) ?? [];
  const tokens = estimateTokens(text);
  return [
    `## ${path}`,
    'The sandbox has counted the text. No real model was asked.',
    '### Contents',
    [
      '| Part | Count |',
      '|:-----|------:|',
      `| Lines | ${lines.length} |`,
      `| Blank lines | ${blank} |`,
      `| Words | ${words.length} |`,
      `| Different words | ${new Set(words).size} |`,
      `| Characters | ${text.length} |`,
    ].join('\n'),
    '### Size',
    'A token has on average so many characters:',
    `$$\n\\frac{\\text{characters}}{\\text{tokens}} = \\frac{${text.length}}{${tokens}} \\approx ${(text.length / Math.max(1, tokens)).toFixed(1)}\n$$`,
  ].join('\n\n');
}

function withComment({ path, language, text }: AttachedCode): string {
  const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
  const comment = commentIn(language, 'Sample from the sandbox: no real model has read this code.');
  const code = comment === undefined ? text : `${indent}${comment}\n${text}`;
  const fence = '`'.repeat(Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length)) + 1);
  return `The sandbox answers with the same code and a comment. No real model was asked.\n\n${fence}${language} ${path}\n${code}\n${fence}`;
}

/** @returns undefined for a language without comments. */
function commentIn(language: string, text: string): string | undefined {
  if (/^(json|csv|plaintext|)$/.test(language)) return undefined;
  if (/^(html|xml|markdown|vue|svelte)$/.test(language)) return `<!-- ${text} -->`;
  if (/^(css|scss|less)$/.test(language)) return `/* ${text} */`;
  if (/^(sql|lua|haskell|ada|elm)$/.test(language)) return `-- ${text}`;
  if (/^(python|ruby|shellscript|yaml|toml|ini|perl|r|julia|elixir|makefile|dockerfile|powershell)$/.test(language)) {
    return `# ${text}`;
  }
  return `// ${text}`;
}

function messageAbout(diff: string): string {
  const paths = [...diff.matchAll(/^diff --git .* "?b\/(.*?)"?$/gm)].map(([, path = '']) => path);
  const [only] = paths;
  if (only === undefined) return 'Update files';
  return paths.length === 1 ? `Update ${only.slice(only.lastIndexOf('/') + 1)}` : `Update ${paths.length} files`;
}
