import assert from 'node:assert/strict';
import type { SuggestionForm } from '../../../../src/suggestions/text/answerText.ts';
import { SuggestionReader } from '../../../../src/suggestions/text/suggestion.ts';

interface Asked {
  readonly languageId?: string;
  readonly indentUnit?: string;
  readonly form?: Partial<SuggestionForm>;
}

/** Returns the suggestion in a file whose cursor is at `⟦`, which has to be the same for pieces of each length. */
function suggested(file: string, answer: string, { languageId = 'typescript', indentUnit, form = {} }: Asked = {}) {
  const [before = '', after = ''] = file.split('⟦');
  const texts = [1, 6, answer.length].map((length) => {
    const reader = new SuggestionReader({ path: 'file', languageId, before, after, indentUnit }, form);
    for (let at = 0; at < answer.length; at += length) {
      if (reader.push(answer.slice(at, at + length))) break;
    }
    return reader.end()?.text;
  });
  assert.equal(new Set(texts).size, 1, `Differs by the pieces: ${JSON.stringify(texts)}`);
  return texts[0];
}

const tagged = (text: string) => `<insert>${text}</insert>`;
const FILLED_IN = { isFilledIn: true };

describe('the indentation of a suggestion', () => {
  const go = (body: string) => `package shop\n\nfunc sum() {\n\tadd()\n}\n\nfunc find(id int) int {\n${body}\n}\n`;

  it('is in tabs where the file has tabs', () => {
    const inBlock = suggested(go('\tif id > 1 {⟦\n\t}'), tagged('\n        return 1'), { languageId: 'go' });
    assert.equal(inBlock, '\n\t\treturn 1');
    const block = tagged('if id > 1 {\n        return 1\n    }');
    assert.equal(suggested(go('\t⟦'), block, { languageId: 'go' }), 'if id > 1 {\n\t\treturn 1\n\t}');
  });

  it('begins at the line of the cursor, also for an answer that begins at the margin', () => {
    const block = tagged('if id > 1 {\n    return 1\n}');
    assert.equal(suggested(go('\t⟦'), block, { languageId: 'go' }), 'if id > 1 {\n\t\treturn 1\n\t}');
  });

  it('is in four spaces or in two, as in the file', () => {
    const four = 'class Shelf {\n    add() {\n        this.count();\n    }\n\n    find(id) {⟦\n}\n';
    const two = tagged('\n    if (id) {\n      this.count();\n    }');
    assert.equal(suggested(four, two), '\n        if (id) {\n            this.count();\n        }');
    const python = 'def first():\n    return 1\n\ndef find(id):\n    if id:⟦\n';
    assert.equal(suggested(python, tagged('\n    return 2'), { languageId: 'python' }), '\n        return 2');
  });

  it('is the one of the editor in a file without any', () => {
    const answer = tagged('\n  add();\n}');
    assert.equal(suggested('function find() {⟦', answer, { indentUnit: '\t' }), '\n\tadd();\n}');
    assert.equal(suggested('function find() {⟦', answer), '\n  add();\n}');
  });

  it('keeps the alignment of continued lines', () => {
    const answer = tagged('add(first,\n      second);');
    assert.equal(suggested('function find() {\n  ⟦\n}', answer), 'add(first,\n      second);');
  });
});

describe('a line that the file has with other spaces', () => {
  it('ends the suggestion where it follows the cursor', () => {
    const file = 'function sum(a, b) {\n  ⟦\n  c = a + b;\n  return c;\n}\n';
    assert.equal(suggested(file, tagged('let c;\n  c = a+b;\n  return c;')), 'let c;');
  });

  it('is removed where it precedes the cursor', () => {
    assert.equal(suggested('const total = ⟦', tagged('const total=sum(a);')), 'sum(a);');
  });

  it('is another one if a space separates two words', () => {
    assert.equal(suggested('const of = 1;\nco⟦', tagged('nst a = 2;')), 'nst a = 2;');
    const file = 'function sum() {\n  ⟦\n  in stock;\n}\n';
    assert.equal(suggested(file, tagged('add();\n  instock;')), 'add();\n  instock;');
  });
});

describe('an answer that reads like a sentence', () => {
  const sentences: readonly [languageId: string, file: string, text: string][] = [
    ['ruby', 'describe Cart do\n  ⟦\nend\n', 'it "returns the sum of all the items" do\n    add 1\n  end'],
    ['gherkin', 'Feature: Cart\n  Scenario: Empty\n    ⟦', "Given the user's cart is empty\n    When they look at it"],
    ['python', 'def count():\n    """⟦\n    """\n    return 1\n', "Return the number of the user's items."],
    ['yaml', 'description: ⟦\n', "The user's cart is empty when nothing was added."],
    ['typescript', '// ⟦\nadd();', "This returns the sum of the user's items."],
  ];

  for (const [languageId, file, text] of sentences) {
    it(`is shown in ${languageId} between the tags, and if a model fills it in`, () => {
      assert.equal(suggested(file, tagged(text), { languageId }), text);
      assert.equal(suggested(file, text, { languageId, form: FILLED_IN }), text);
    });
  }

  it('is an explanation if a chat model writes no tags', () => {
    assert.equal(suggested('const total = ⟦', 'This returns the sum of all the items in the cart.'), undefined);
  });
});

describe('the mark with which a model ends its text', () => {
  for (const mark of ['<|endoftext|>', '<|fim_middle|>', ' <EOT>', '<｜end▁of▁sentence｜>', '</s>', '<|file_sep|>']) {
    it(`is cut with what follows it: ${mark}`, () => {
      assert.equal(suggested('const total = ⟦', `1;${mark}const other`, { form: FILLED_IN }), '1;');
      assert.equal(suggested('const total = ⟦', tagged(`1;${mark}`)), '1;');
    });
  }

  it("may be the upstream's own", () => {
    const form = { isFilledIn: true, markers: ['<SUFFIX>'] };
    assert.equal(suggested('const total = ⟦', '1;<SUFFIX>const', { form }), '1;');
  });

  it('stays in a file that has it', () => {
    const file = "const FIRST = '<|im_end|>';\nconst last = ⟦";
    assert.equal(suggested(file, "'<|im_end|>';", { form: FILLED_IN }), "'<|im_end|>';");
  });
});
