import assert from 'node:assert/strict';
import fc from 'fast-check';
import { propose, replaceLines } from '../../../../src/chat/apply/proposal.ts';

const SESSION = `import { readFile } from 'node:fs/promises';

/** Reads a session. */
export async function readSession(path: string): Promise<Session> {
  const text = await readFile(path, 'utf8');
  return JSON.parse(text);
}

export class Sessions {
  readonly #open = new Map<string, Session>();

  open(name: string): Session | undefined {
    return this.#open.get(name);
  }

  close(name: string): void {
    this.#open.delete(name);
  }
}
`;

/** Returns the text with one piece of it replaced. */
function edited(text: string, from: string, to: string): string {
  assert.ok(text.includes(from), `the text has no ${from}`);
  return text.replace(from, () => to);
}

describe('code from an answer applied to a text', () => {
  it('replaces the whole text if it is a new version of all of it', () => {
    const whole = edited(edited(SESSION, 'JSON.parse(text)', 'parse(text)'), "'node:fs/promises'", "'node:fs'");
    assert.equal(propose(SESSION, whole), whole);
  });

  it('replaces the function that it is a new version of, and nothing else', () => {
    const code = [
      'export async function readSession(path: string, encoding: string): Promise<Session> {',
      '  const text = await readFile(path, encoding);',
      '  return JSON.parse(text);',
      '}',
    ].join('\n');
    const wanted = edited(
      edited(SESSION, 'readSession(path: string)', 'readSession(path: string, encoding: string)'),
      "'utf8'",
      'encoding',
    );
    assert.equal(propose(SESSION, code), wanted);
  });

  it('removes the whole old function if the new one is much shorter', () => {
    const long = `def total(items):\n${'    step()\n'.repeat(30)}    return 1\n\n\ndef other():\n    return 2\n`;
    const code = 'def total(items):\n    return sum(items)\n';
    assert.equal(propose(long, code), 'def total(items):\n    return sum(items)\n\n\ndef other():\n    return 2\n');
    const braces = `function total(items) {\n${'  step();\n'.repeat(30)}}\n\nfunction other() {\n  return 2;\n}\n`;
    assert.equal(
      propose(braces, 'function total(items) {\n  return sum(items);\n}'),
      'function total(items) {\n  return sum(items);\n}\n\nfunction other() {\n  return 2;\n}\n',
    );
  });

  it('gets the indentation of its target', () => {
    const code = 'close(name: string): void {\n  this.#open.delete(name);\n  this.#closed += 1;\n}';
    const wanted = edited(SESSION, 'delete(name);\n', 'delete(name);\n    this.#closed += 1;\n');
    assert.equal(propose(SESSION, code), wanted);
  });

  it('uses tabs if the text uses tabs', () => {
    const text = 'class A {\n\topen() {\n\t\treturn one;\n\t}\n}\n';
    const code = 'open() {\n  if (closed) {\n    return none;\n  }\n  return one;\n}';
    assert.equal(
      propose(text, code),
      'class A {\n\topen() {\n\t\tif (closed) {\n\t\t\treturn none;\n\t\t}\n\t\treturn one;\n\t}\n}\n',
    );
  });

  it('gets the line endings of the text', () => {
    const text = 'one();\r\ntwo();\r\nthree();\r\n';
    assert.equal(propose(text, 'one();\ntwo(2);\nthree();'), 'one();\r\ntwo(2);\r\nthree();\r\n');
  });

  it('keeps lines that it elides', () => {
    const code = `import { readFile, writeFile } from 'node:fs/promises';

// ... existing code ...

  close(name: string): void {
    this.#open.delete(name);
    this.#closed.add(name);
  }
}`;
    const wanted = edited(
      edited(SESSION, '{ readFile }', '{ readFile, writeFile }'),
      'delete(name);\n',
      'delete(name);\n    this.#closed.add(name);\n',
    );
    assert.equal(propose(SESSION, code), wanted);
  });

  it('may begin and end with elided lines', () => {
    const code =
      '  // ...\n  open(name: string): Session {\n    return this.#open.get(name) ?? none;\n  }\n  // rest of the class\n';
    const wanted = edited(
      edited(SESSION, 'Session | undefined {', 'Session {'),
      'this.#open.get(name)',
      'this.#open.get(name) ?? none',
    );
    assert.equal(propose(SESSION, code), wanted);
  });

  it('replaces the existing comment with its own', () => {
    const code =
      '/** Reads a session from a file.\n * @throws when there is none. */\nexport async function readSession(path: string): Promise<Session> {\n  return JSON.parse(await readFile(path, "utf8"));\n}';
    const proposed = propose(SESSION, code) ?? '';
    assert.doesNotMatch(proposed, /Reads a session\. /);
    assert.match(proposed, /from a file\.\n \* @throws when there is none\. \*\/\nexport async function/);
    assert.equal(proposed.match(/JSON\.parse/g)?.length, 1);
  });

  it('replaces the first lines too if it covers most of the text', () => {
    const text = "import a from 'a';\nrun(1);\nrun(2);\nrun(3);\nrun(4);\n";
    const code = 'const load = useLoader();\nrun(1);\nrun(2);\nrun(3);\nrun(4);\n';
    assert.equal(propose(text, code), code);
  });

  it('is not applied if the text has nothing similar', () => {
    assert.equal(propose(SESSION, 'SELECT count(*) FROM parcels;'), undefined);
    assert.equal(propose(SESSION, '}\n}'), undefined);
    assert.equal(propose(SESSION, '// ...'), undefined);
    assert.equal(propose(SESSION, ''), undefined);
  });

  it('fills an empty text', () => {
    assert.equal(propose('', 'one();\n'), 'one();\n');
    assert.equal(propose('\n', 'one();'), 'one();\n');
  });

  it('replaces specified lines, whatever they contain', () => {
    assert.equal(replaceLines('a\nb\nc\n', { start: 1, end: 2 }, 'x\ny\n'), 'a\nx\ny\nc\n');
    assert.equal(replaceLines('a\nb', { start: 2, end: 2 }, 'x'), 'a\nb\nx');
  });

  it('changes nothing if it equals the text', () => {
    fc.assert(
      fc.property(texts(), (text) => {
        assert.equal(propose(text, text), text);
      }),
    );
  });

  it('changes only the one line that differs', () => {
    fc.assert(
      fc.property(uniqueLines(), fc.nat(), fc.nat(), (lines, first, count) => {
        const start = first % (lines.length - 3);
        const part = lines.slice(start, start + 3 + (count % (lines.length - start - 2)));
        const at = start + 1;
        const changed = `${lines[at]} // with more`;
        const code = part.with(1, changed).join('\n');
        assert.equal(propose(`${lines.join('\n')}\n`, code), `${lines.with(at, changed).join('\n')}\n`);
      }),
    );
  });
});

/** Texts with at least one word, with either line break. */
function texts(): fc.Arbitrary<string> {
  const line = fc.constantFrom('', '  ', '}', 'const one = 1;', '  return two;', '\tcall(three);', '# four', 'five');
  const lines = fc.array(line, { minLength: 1, maxLength: 20 });
  return fc
    .tuple(lines, fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([parts, lineBreak, ends]) => parts.join(lineBreak) + (ends ? lineBreak : ''))
    .filter((text) => /[a-z]/.test(text));
}

/** Lines of which no two are equal. */
function uniqueLines(): fc.Arbitrary<string[]> {
  return fc
    .integer({ min: 4, max: 30 })
    .map((count) =>
      Array.from(
        { length: count },
        (_, index) => `${letters(index)}(${letters(index + 100)}, ${letters(index + 200)});`,
      ),
    );
}

function letters(value: number): string {
  return `n${(value * 7919).toString(36)}`;
}
