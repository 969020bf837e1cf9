/** What the sandbox answers to commands on code of the sample folder: prepared comments, tests, fixes, and messages. */
import type { ChatRequest } from '../formats/conversation.ts';
import { type AttachedCode, attachedTo } from './attachedCode.ts';
import { itemOfLine, type SampleFileName, sampleFileAt } from './sampleItems.ts';
import { languageOf, type SampleLanguage } from './sampleQuestions.ts';
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

const HEAD = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;
const BOOK = 'const BOOK = { length: 24, width: 17, height: 3, weight: 0.6, fragile: false };\n';

function quoteTests(module: string): string {
  return `${HEAD}import { quote, quoteAll } from '${module}';

${BOOK}
test('a light parcel costs the minimum price of its zone', () => {
  assert.equal(quote(BOOK, 'local'), 3.5);
  assert.equal(quote(BOOK, 'abroad'), 14.9);
});

test('a heavy parcel costs the price per kilogram', () => {
  assert.equal(quote({ ...BOOK, weight: 10 }, 'national'), 24);
});

test('a large light parcel is charged by its volume', () => {
  assert.equal(quote({ ...BOOK, length: 50, width: 50, height: 40 }, 'national'), 48);
});

test('a fragile parcel costs the surcharge', () => {
  assert.equal(quote({ ...BOOK, fragile: true }, 'local'), 6);
});

test('an empty basket costs nothing', () => {
  assert.equal(quoteAll([], 'abroad'), 0);
});

test('five parcels cost a tenth less, four do not', () => {
  assert.equal(quoteAll([BOOK, BOOK, BOOK, BOOK], 'local'), 14);
  assert.equal(quoteAll([BOOK, BOOK, BOOK, BOOK, BOOK], 'local'), 15.75);
});`;
}

const PARCEL = `${HEAD}import { chargeableWeight } from './parcel.ts';

${BOOK}
test('a small parcel is charged for its weight', () => {
  assert.equal(chargeableWeight(BOOK), 0.6);
});

test('a large light parcel is charged for its volume, at 200 kg a cubic metre', () => {
  assert.equal(chargeableWeight({ ...BOOK, length: 100, width: 100, height: 100 }), 200);
});

test('a parcel without a size is charged for its weight', () => {
  assert.equal(chargeableWeight({ ...BOOK, length: 0 }), 0.6);
});`;

const SESSION = `${HEAD}import { Sessions } from './session.ts';

${BOOK}
test('a basket keeps its parcels, each session its own', () => {
  const sessions = new Sessions();
  sessions.add('one', BOOK);
  assert.deepEqual(sessions.basket('one'), [BOOK]);
  assert.deepEqual(sessions.basket('other'), []);
});

test('a basket is empty half an hour after its last use', () => {
  let now = 0;
  const sessions = new Sessions(() => now);
  sessions.add('one', BOOK);
  now += 29 * 60_000;
  assert.equal(sessions.basket('one').length, 1);
  now += 29 * 60_000;
  assert.equal(sessions.basket('one').length, 1, 'reading is a use');
  now += 31 * 60_000;
  assert.equal(sessions.basket('one').length, 0);
});`;

function testsOf(file: SampleFileName): string {
  if (file === 'parcel') return PARCEL;
  if (file === 'session') return SESSION;
  return quoteTests(file === 'quote' ? './quote.ts' : '../src/quote.ts');
}
