import assert from 'node:assert/strict';
import { urgencyAt } from '../../../../src/suggestions/text/occasion.ts';
import { type Lines, textAround } from '../../../../src/suggestions/text/place.ts';
import { calledBefore, declarationsOf, importsOf } from '../../../../src/suggestions/text/signatures.ts';

const countTokens = (text: string) => Math.ceil(text.length / 4);

/** A document that counts how many lines are read. */
class CountedLines implements Lines {
  readonly #lines: readonly string[];
  read = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get count(): number {
    return this.#lines.length;
  }

  at(line: number): string {
    this.read += 1;
    return this.#lines[line] ?? '';
  }
}

describe('the text around a cursor', () => {
  const numbered = Array.from({ length: 60_000 }, (_, line) => `const value${line} = ${line};`);
  const budget = { before: 400, after: 100 };

  it('is at most the budget, and only its lines are read', () => {
    const lines = new CountedLines(numbered);
    const { before, after } = textAround(lines, { line: 30_000, character: 5 }, budget, countTokens);
    assert.ok(countTokens(before) <= 400 && countTokens(after) <= 110);
    assert.ok(before.endsWith('\nconst'));
    assert.ok(after.startsWith(' value30000'));
    assert.ok(lines.read < 300, `${lines.read} lines`);
  });

  it('begins with the same line while a person types several lines', () => {
    const firstLines = Array.from({ length: 10 }, (_, typed) => {
      const lines = new CountedLines(numbered);
      const { before } = textAround(lines, { line: 30_000 + typed, character: 5 }, budget, countTokens);
      return before.split('\n', 1)[0];
    });
    assert.ok(new Set(firstLines).size <= 2, String(new Set(firstLines).size));
  });

  it('is cut in lines of megabytes', () => {
    const lines = new CountedLines(['x'.repeat(2_000_000)]);
    const { before, after } = textAround(lines, { line: 0, character: 1_000_000 }, budget, countTokens);
    assert.deepEqual([before.length, after.length], [2000, 2000]);
  });
});

describe('how soon a suggestion is asked for', () => {
  const urgency = (before: string, after = '\n', languageId = 'typescript', inComments = false) =>
    urgencyAt({ path: 'a', languageId, before, after }, { inComments });

  it('is at once after a line break or an opening bracket', () => {
    for (const before of ['one();\n', 'if (a) {\n  ', 'log(', 'const f = () => '])
      assert.equal(urgency(before), 'now', before);
  });

  it('is later between words, and latest in a word', () => {
    assert.equal(urgency('const total ='), 'soon');
    assert.equal(urgency('const tot'), 'later');
  });

  it('is never in front of a word, behind a statement, in an empty file, or in a comment', () => {
    assert.equal(urgency('const to', 'tal = 1;'), undefined);
    assert.equal(urgency('one();'), undefined);
    assert.equal(urgency('', ''), undefined);
    assert.equal(urgency('// A word '), undefined);
    assert.equal(urgency('/**\n * A word '), undefined);
    assert.equal(urgency('# A word ', '\n', 'python'), undefined);
  });

  it('is soon in comments if they are wanted, and in strings', () => {
    assert.equal(urgency('// A word ', '\n', 'typescript', true), 'soon');
    assert.equal(urgency("const address = 'https://"), 'soon');
    assert.equal(urgency("const text = 'a // b "), 'soon');
  });
});

describe('what a file declares', () => {
  it('is found in several languages, without bodies', () => {
    const lines = [
      "import { a } from './a.ts';",
      'export class Box {',
      '  add(item: string): void {',
      '    if (item) {',
      'export const double = (value: number) => {',
      'def mean(values):',
      'func (b *Box) Add(item string) error {',
      'pub fn area(width: u32) -> u32 {',
      'let count = 1;',
    ];
    assert.deepEqual(importsOf(lines), [lines[0]]);
    assert.deepEqual(declarationsOf(lines), [
      'export class Box',
      '  add(item: string): void',
      'export const double = (value: number) =>',
      'def mean(values):',
      'func (b *Box) Add(item string) error',
      'pub fn area(width: u32) -> u32',
    ]);
  });

  it('is looked up for the function whose arguments are written', () => {
    assert.deepEqual(calledBefore('const x = quote(book, zones('), { name: 'zones', at: 22 });
    assert.deepEqual(calledBefore('const x = quote(book, zones(1), '), { name: 'quote', at: 10 });
    assert.equal(calledBefore('if ('), undefined);
    assert.equal(calledBefore('const x = '), undefined);
  });
});
