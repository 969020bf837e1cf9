/** Commands that users can write to the sandbox. `docs/sandbox.md` lists them. */
import type { SandboxAnswer } from './draft.ts';
import { FAULTS } from './faultNames.ts';

const MAX_WORDS = 20_000;
const MAX_LINES = 5_000;
const WORDS_PER_PARAGRAPH = 60;

const PHRASE =
  'the sandbox writes plain words so that a long answer can be read and stopped without any model behind it';
const VOCABULARY = PHRASE.split(' ');

interface SandboxWord {
  readonly pattern: RegExp;
  readonly usage: string;
  readonly answer: (match: RegExpExecArray) => SandboxAnswer;
}

const words: readonly SandboxWord[] = [
  { pattern: /^echo(?::[ \t]?|[ \t]+|\n)([\s\S]+)$/i, usage: 'echo: any text', answer: ([, text = '']) => say(text) },
  {
    pattern: /\bwrite (\d+) words?\b/i,
    usage: 'write 300 words',
    answer: ([, count]) => say(writeWords(Number(count))),
  },
  {
    pattern: /\bwrite (\d+) lines?\b/i,
    usage: 'write 100 lines',
    answer: ([, count]) => say(writeLines(Number(count))),
  },
  { pattern: /^markdown\s*$/i, usage: 'markdown', answer: () => say(MARKDOWN) },
  { pattern: /^refuse\s*$/i, usage: 'refuse', answer: refuse },
];

const HELP = /^help\s*$/i;
const FAIL = /^fail(?::[ \t]*|[ \t]+)([\w-]+)\s*$/i;
const THINK = /^think\b[:,]?\s*/i;

/** Removes a leading `think` from the question, which asks for reasoning before the answer. */
export function readThink(question: string): { readonly thinks: boolean; readonly question: string } {
  return { thinks: THINK.test(question), question: question.replace(THINK, '') };
}

/** Returns the name of the fault that a question asks for. The gateway's part of the sandbox simulates it. */
export function faultWord(question: string): string | undefined {
  return FAIL.exec(question)?.[1]?.toLowerCase();
}

/** Returns the answer to a question that is one of the commands, or undefined. */
export function answerWord(question: string): SandboxAnswer | undefined {
  if (HELP.test(question)) return say(help());
  // What arrives of it before the fault, or when it succeeds at the second time.
  if (FAIL.test(question)) return say(writeWords(WORDS_PER_PARAGRAPH));
  for (const { pattern, answer } of words) {
    const match = pattern.exec(question);
    if (match !== null) return answer(match);
  }
  return undefined;
}

/** The syntax of each command except `help`, including `think` and the use of tools. */
export const usages: readonly [string, ...string[]] = [
  'think about this',
  ...words.map(({ usage }) => usage),
  'fail: rate-limit',
  'use NAME_OF_A_TOOL',
];

export function say(text: string): SandboxAnswer {
  return { parts: [{ type: 'text', text }], finishReason: 'stop' };
}

function refuse(): SandboxAnswer {
  return {
    parts: [{ type: 'refusal', text: 'The sandbox was asked to refuse, so it does not answer this.' }],
    finishReason: 'refusal',
  };
}

function help(): string {
  const list = usages.map((usage) => `- \`${usage}\``).join('\n');
  return `This is the sandbox; no real model answers here. It supports these commands:\n\n${list}\n\nAnything else is answered with a report of the request. The faults are ${FAULTS.map((name) => `\`${name}\``).join(', ')}; each can also be added to the name of the model, such as \`familya-sonnet-4.6+rate-limit\`.`;
}

function writeWords(count: number): string {
  const wanted = Math.min(count, MAX_WORDS);
  const all = Array.from({ length: wanted }, (_, i) => VOCABULARY[i % VOCABULARY.length] ?? '');
  const paragraphs: string[] = [];
  for (let i = 0; i < wanted; i += WORDS_PER_PARAGRAPH)
    paragraphs.push(all.slice(i, i + WORDS_PER_PARAGRAPH).join(' '));
  return paragraphs.join('\n\n');
}

function writeLines(count: number): string {
  return Array.from({ length: Math.min(count, MAX_LINES) }, (_, i) => `- Line ${i + 1} of the sandbox.`).join('\n');
}

const MARKDOWN = `# Heading one
## Heading two

Plain text with **bold**, *italic*, ~~struck~~, \`code\` and a [link](https://example.com/).

> A quotation
> of two lines.

1. First
2. Second
   - Nested
   - Nested again

- [x] Done
- [ ] Open

| Left | Right |
|:-----|------:|
| one  |     1 |
| two  |    22 |

\`\`\`ts
export function area(width: number, height: number): number {
  return width * height;
}
\`\`\`

\`\`\`python
def area(width, height):
    return width * height
\`\`\`

\`\`\`
A block without a language, with one line that is so long that it does not fit into a narrow panel and must scroll or wrap.
\`\`\`

---

Markup such as <b>bold</b> may show, <script>alert('a script')</script> must not run, & signs such as < stay signs.
`;
