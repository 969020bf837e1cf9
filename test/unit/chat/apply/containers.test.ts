import assert from 'node:assert/strict';
import { containersFor } from '../../../../src/chat/apply/containers.ts';
import { propose } from '../../../../src/chat/apply/proposal.ts';

/** Where code that shows no neighbor may go, the most likely first. */
function headsFor(text: string, code: string, path: string): readonly (string | undefined)[] {
  return containersFor(text, code, path).map(({ head }) => head);
}

function firstText(text: string, code: string, path: string): string | undefined {
  assert.equal(propose(text, code, path), undefined, 'the place is certain');
  return containersFor(text, code, path)[0]?.text;
}

const CLASSES = `import { Item } from './item.ts';

export class Shelf {
  readonly #items: Item[] = [];

  add(item: Item): void {
    this.#items.push(item);
  }
}

export class Clock {
  #minutes = 0;

  wind(minutes: number): void {
    this.#minutes += minutes;
  }
}

export function label(item: Item): string {
  return item.name;
}
`;

describe('the containers of new code', () => {
  it('are the classes for a method, with the one first whose members it uses', () => {
    const code = 'count(): number {\n  return this.#items.length;\n}';
    assert.deepEqual(headsFor(CLASSES, code, 'a.ts'), ['export class Shelf {', 'export class Clock {']);
    assert.equal(
      firstText(CLASSES, code, 'a.ts'),
      CLASSES.replace(
        'push(item);\n  }\n',
        'push(item);\n  }\n\n  count(): number {\n    return this.#items.length;\n  }\n',
      ),
    );
    assert.equal(headsFor(CLASSES, 'reset(): void {\n  this.#minutes = 0;\n}', 'a.ts')[0], 'export class Clock {');
  });

  it('are the file alone for a function, whose imports go to the others', () => {
    const code =
      "import { tax } from './tax.ts';\n\nexport function price(item: Item): number {\n  return tax(item);\n}";
    assert.deepEqual(headsFor(CLASSES, code, 'a.ts'), [undefined]);
    assert.equal(
      firstText(CLASSES, code, 'a.ts'),
      `${CLASSES.replace("item.ts';\n", "item.ts';\nimport { tax } from './tax.ts';\n")}
export function price(item: Item): number {
  return tax(item);
}
`,
    );
  });

  it('tell methods of Python from functions, and have the distance of their members', () => {
    const text = `class Shelf:
    def add(self, item):
        self.items.append(item)

    def clear(self):
        self.items = []


def label(item):
    return item.name
`;
    const code = 'def count(self):\n    return len(self.items)';
    assert.deepEqual(headsFor(text, code, 'a.py'), ['class Shelf:']);
    assert.equal(
      firstText(text, code, 'a.py'),
      text.replace('= []\n', '= []\n\n    def count(self):\n        return len(self.items)\n'),
    );
    assert.deepEqual(headsFor(text, 'def price(item):\n    return item.price', 'a.py'), [undefined]);
  });

  it('read a function that ends with a bracket as a whole', () => {
    const text = 'def one():\n    run()\n\n\ndef two():\n    run()\n';
    const code = 'def three():\n    run(\n        1,\n    )';
    assert.equal(firstText(text, code, 'a.py'), `${text}\n\n${code}\n`);
  });

  it('are the class for a method with a wrapped head, and the file for its first function', () => {
    const text = 'class Shelf:\n    def add(\n        self,\n        item,\n    ):\n        self.items.append(item)\n';
    assert.deepEqual(headsFor(text, 'def count(self):\n    return len(self.items)', 'a.py'), ['class Shelf:']);
    assert.deepEqual(headsFor(text, 'def price(item):\n    return 1', 'a.py'), [undefined]);
  });

  it('are objects with members of the same kind for a key, which gets a comma', () => {
    const text = '{\n  "scripts": {\n    "build": "tsc",\n    "test": "mocha"\n  },\n  "version": "1.0.0"\n}\n';
    const code = '"lint": "biome check"';
    const [first] = containersFor(text, code, 'package.json');
    assert.equal(first?.head, '"scripts": {');
    assert.equal(first?.text, text.replace('"mocha"', '"mocha",\n    "lint": "biome check"'));
  });

  it('begin with those that have the indentation of the code', () => {
    const text = `describe('a', () => {\n  it('adds', () => {\n    add();\n  });\n});\n\nit('alone', () => {\n  alone();\n});\n`;
    assert.deepEqual(headsFor(text, "  it('is new', () => {\n    fresh();\n  });", 'a.test.ts'), [
      "describe('a', () => {",
      undefined,
    ]);
  });

  it('are none for statements, for code with marks, and where the item is already', () => {
    assert.deepEqual(headsFor(CLASSES, 'run();', 'a.ts'), []);
    assert.deepEqual(headsFor(CLASSES, '// ... existing code ...\nexport function price(): void {\n}', 'a.ts'), []);
    assert.deepEqual(headsFor(CLASSES, 'wind(): void {\n  this.#items;\n}', 'a.ts'), ['export class Shelf {']);
  });

  it('are the places between two marks, the last one first', () => {
    const added = ['  count(): number {', '    return 1;', '  }'];
    const mark = '  // ... existing code ...';
    const code = ['export class Shelf {', mark, '', ...added, '', mark, '}'].join('\n');
    const text = CLASSES.replace('push(item);\n  }\n', `push(item);\n  }\n\n${added.join('\n')}\n`);
    assert.equal(firstText(CLASSES, code, 'a.ts'), text);
    const heads = ['add(item: Item): void {', 'readonly #items: Item[] = [];', 'export class Shelf {'];
    assert.deepEqual(headsFor(CLASSES, code, 'a.ts'), heads);
  });

  it('are those of the new item if the code also changes another one', () => {
    const code = 'add(item: Item): void {\n  this.#items.unshift(item);\n}\n\ncount(): number {\n  return 1;\n}';
    const [first] = containersFor(CLASSES, code, 'a.ts');
    assert.match(first?.text ?? '', /unshift\(item\);\n {2}\}\n\n {2}count\(\): number \{/);
  });

  it('are classes with fields only for their first method', () => {
    const text =
      'export class Point {\n  x = 0;\n  y = 0;\n}\n\nexport function origin() {\n  return new Point();\n}\n';
    assert.deepEqual(headsFor(text, 'length(): number {\n  return this.x + this.y;\n}', 'a.ts'), [
      'export class Point {',
    ]);
    const data = '@dataclass\nclass Point:\n    x: int = 0\n    y: int = 0\n';
    assert.deepEqual(headsFor(data, 'def length(self):\n    return self.x + self.y', 'a.py'), ['class Point:']);
    assert.deepEqual(headsFor(data, 'def length(point):\n    return point.x', 'a.py'), [undefined]);
  });

  it('are the beginning of the file for a comment alone', () => {
    const license = '// Copyright of all authors.\n//\n// All rights are reserved.';
    assert.equal(firstText(CLASSES, license, 'a.ts'), `${license}\n\n${CLASSES}`);
    assert.equal(firstText('#!/bin/sh\n\nrun\n', '# Runs.', 'a.sh'), '#!/bin/sh\n# Runs.\n\nrun\n');
  });
});
