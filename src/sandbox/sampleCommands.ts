/** What the sandbox answers to commands on code of the sample folder: prepared comments, tests, fixes, and messages. */
import type { ChatRequest } from '../formats/conversation.ts';
import { type AttachedCode, attachedTo } from './attachedCode.ts';
import { itemOfLine, type SampleFileName, sampleFileAt } from './sampleItems.ts';
import { languageOf, type SampleLanguage } from './sampleQuestions.ts';
import { testsOf } from './sampleTestFiles.ts';
import { sampleTexts } from './sampleTexts.ts';

const DOCUMENTS = /^Document\b/;
const WRITES_TESTS = /^Write tests for\b/;
const FIXES = /^Fix what the editor reports\b/;
const WRITES_MESSAGE = /^Write a commit message\b/im;
const EXPLAINS: Readonly<Record<SampleLanguage, RegExp>> = { en: /^Explain\b/, de: /^Erkläre\b/, zh: /^解释/ };

const NOTE = 'Prepared answer: the sandbox has not asked a model.';

/** Returns undefined if the request is no command on code of the sample folder. */
export function answerSampleCommand(request: ChatRequest, question: string): string | undefined {
  const last = request.messages.findLast(({ role }) => role === 'user');
  const attached = last === undefined ? [] : attachedTo(last);
  if (WRITES_MESSAGE.test(question)) return messageFor(attached.find(({ kind }) => kind === 'Git changes')?.text ?? '');
  const code = attached.findLast(({ kind }) => kind === 'Selection from');
  const file = code && sampleFileAt(code.path);
  if (code === undefined || file === undefined) return undefined;
  // Other folders may have a file of the same name.
  if (!code.text.split('\n').some((line) => itemOfLine(file, line) !== undefined)) return undefined;
  if (DOCUMENTS.test(question)) return codeAnswer(code, documented(code.text, file));
  if (WRITES_TESTS.test(question)) return codeAnswer(code, testsOf(file));
  if (FIXES.test(question)) return codeAnswer(code, fixed(code.text, last?.parts ?? []));
  return explained(code.text, file, question);
}

function codeAnswer({ language }: AttachedCode, code: string | undefined): string | undefined {
  return code === undefined ? undefined : `${NOTE}\n\n\`\`\`${language}\n${code}\n\`\`\``;
}

/** Adds the prepared comments, which replace a comment of one line. Undefined if there is none for the code. */
function documented(text: string, file: SampleFileName): string | undefined {
  const lines: string[] = [];
  let count = 0;
  for (const line of text.split('\n')) {
    const comment = itemOfLine(file, line)?.comment;
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const written = comment?.map((each) => indent + each) ?? [];
    if (written.length > 0 && !endsWith(lines, written)) {
      if (/^\s*\/\*\*.*\*\/$/.test(lines.at(-1) ?? '')) lines.pop();
      lines.push(...written);
    }
    if (written.length > 0) count += 1;
    lines.push(line);
  }
  return count === 0 ? undefined : lines.join('\n');
}

function endsWith(lines: readonly string[], end: readonly string[]): boolean {
  return lines.slice(-end.length).join('\n') === end.join('\n');
}

/** Does what the editor itself proposes: it names the right spelling, or what is not used. */
function fixed(text: string, parts: readonly object[]): string | undefined {
  const problems = parts.map((part) => ('text' in part ? String(part.text) : '')).join('\n');
  let code = text;
  for (const [, wrong = '', right = ''] of problems.matchAll(/'([\w#]+)'[^\n]*Did you mean (?:to write )?'([\w#]+)'/g))
    code = code.replaceAll(new RegExp(`(?<![\\w#])${wrong}(?!\\w)`, 'g'), right);
  for (const [, name = ''] of problems.matchAll(/'(\w+)' is declared but /g))
    code = code.replace(new RegExp(`^[ \\t]*(?:const|let) ${name}\\b[^\\n]*;\\n?`, 'm'), '');
  return code === text ? undefined : code;
}

function explained(text: string, file: SampleFileName, question: string): string | undefined {
  const asked = (['en', 'de', 'zh'] as const).find((language) => EXPLAINS[language].test(question));
  if (asked === undefined) return undefined;
  const language = asked === 'en' ? languageOf(question) : asked;
  const sentences = text.split('\n').flatMap((line) => itemOfLine(file, line)?.about?.[language] ?? []);
  if (sentences.length === 0) return undefined;
  const list = sentences.length === 1 ? sentences : sentences.map((sentence) => `- ${sentence}`);
  return `${list.join('\n')}\n\n${sampleTexts[language].note}`;
}

/** Lines that are added by what can be tried in the sample folder, and what a commit message says about them. */
const MESSAGES: readonly (readonly [mark: RegExp, message: string])[] = [
  [/^\+.*class ParcelError/m, 'Reject parcels that weigh nothing'],
  [/^\+.*DISCOUNT_FROM/m, 'Round the sum of every basket, and name the discount'],
  [/^\+.*(?:surcharge'|by its volume'|basket costs nothing')/m, 'Test the surcharge, the volume, and empty baskets'],
  [/^\+\| `src\/parcel\.ts` \|/m, 'List the files and the tests in the README'],
  [/^\+export function cheapestZone/m, 'Find the cheapest zone of a parcel'],
  [/^\+export function formatQuote/m, 'Format prices in euros'],
  [/^\+const EXPRESS_SURCHARGE/m, 'Add a surcharge for express parcels'],
  [/^\+export function isOversize/m, 'Recognize parcels that are too large'],
  [/^\+export function girth/m, 'Measure the girth of a parcel'],
  [/^\+ {2}remove\(/m, 'Remove parcels from a basket'],
  [/^\+ {2}clear\(/m, 'Empty a basket'],
];

/** Undefined if none of the prepared changes is in the diff. */
function messageFor(diff: string): string | undefined {
  const found = MESSAGES.flatMap(([mark, message]) => (mark.test(diff) ? [message] : []));
  const isDocumented =
    found.length === 0 && sampleFileAt(/^diff --git .* b\/(.*)$/m.exec(diff)?.[1] ?? '') !== undefined;
  if (isDocumented && /^\+\s*(?:\/\*\*|\*|\/\/)/m.test(diff)) found.push('Document what the code does');
  const [first, ...others] = found;
  return first && [first, ...(others.length === 0 ? [] : ['', ...others.map((each) => `- ${each}.`)])].join('\n');
}
