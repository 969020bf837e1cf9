/** Suggestions of text at a cursor, prepared for the files of the sample folder. */
import type { ChatRequest } from '../formats/conversation.ts';
import { itemOfLine, type SampleFileName, sampleFileAt } from './sampleItems.ts';

/** The form of the editor's requests for inline suggestions. */
const FILE = /^File: (\S+) \([^)\n]*\)$/m;
const BEFORE = /<before>([\s\S]*)<\/before>/;
const AFTER = /<after>([\s\S]*?)<\/after>/;

/** What a person may write next in each file, the most likely first. */
const PREPARED: Readonly<Record<string, readonly string[]>> = {
  'src/quote.ts': [
    `export function cheapestZone(parcel: Parcel): Zone {
  const zones: Zone[] = ['local', 'national', 'abroad'];
  return zones.reduce((best, zone) => (quote(parcel, zone) < quote(parcel, best) ? zone : best));
}`,
    `export function formatQuote(parcel: Parcel, zone: Zone): string {
  return \`\${quote(parcel, zone).toFixed(2)} €\`;
}`,
    'const EXPRESS_SURCHARGE = 4.5;',
  ],
  'src/parcel.ts': [
    `export function isOversize({ length, width, height }: Parcel): boolean {
  return Math.max(length, width, height) > 120;
}`,
    `export function girth({ length, width, height }: Parcel): number {
  const [longest = 0, second = 0, third = 0] = [length, width, height].sort((a, b) => b - a);
  return longest + 2 * (second + third);
}`,
  ],
  'src/session.ts': [
    `  remove(id: string, parcel: Parcel): readonly Parcel[] {
    const session = this.#touch(id);
    const at = session.basket.indexOf(parcel);
    if (at !== -1) session.basket.splice(at, 1);
    return session.basket;
  }`,
    `  clear(id: string): void {
    this.#sessions.delete(id);
  }`,
  ],
  'test/quote.test.ts': [
    `test('a fragile parcel costs a surcharge', () => {
  assert.equal(quote({ ...BOOK, fragile: true }, 'local'), 6);
});`,
  ],
};

/** The shortest beginning of a prepared text that is recognized in the middle of a line. */
const SHORTEST = 3;

/**
 * Returns the answer to a request for an inline suggestion: the rest of a prepared text of which the text before the
 * cursor ends with the beginning, or nothing to insert. Undefined for other requests.
 */
export function suggestInline({ system, messages }: ChatRequest): string | undefined {
  if (!system.some(({ text }) => text.includes('<insert>'))) return undefined;
  const parts = messages.findLast(({ role }) => role === 'user')?.parts ?? [];
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const [path, before, after] = [FILE, BEFORE, AFTER].map((pattern) => pattern.exec(text)?.[1]);
  if (path === undefined || before === undefined) return undefined;
  const name = Object.keys(PREPARED).find((each) => path === each || path.endsWith(`/${each}`));
  const rests = (PREPARED[name ?? ''] ?? [])
    .filter((prepared) => !before.includes(prepared) && !(after ?? '').includes(prepared))
    .map((prepared) => restOf(prepared, before));
  const found = rests.find((rest) => rest !== undefined) ?? sampleLine(path, before, after ?? '');
  return `<insert>${found ?? ''}</insert>`;
}

/** The part of a text that is not written yet; undefined if the text before the cursor does not lead to it. */
function restOf(text: string, before: string): string | undefined {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const start = text.trimStart();
  const written = line.trimStart();
  if (written !== '' && start.startsWith(written) && start !== written) return start.slice(written.length);
  for (let length = start.length - 1; length >= SHORTEST; length -= 1) {
    if (before.endsWith(start.slice(0, length))) return start.slice(length);
  }
  return line.trim() === '' && /[;}\n]\s*$/.test(before) ? start : undefined;
}

/** Statements that continue a file where none of the longer texts fits, the most likely first. */
const STATEMENTS: Readonly<Record<SampleFileName, readonly string[]>> = {
  quote: [
    "if (parcel.weight <= 0) throw new RangeError('A parcel must weigh more than zero.');",
    'return Math.round(price * 100) / 100;',
    'const isLight = byWeight < MIN_PRICE[zone];',
    "const zones: readonly Zone[] = ['local', 'national', 'abroad'];",
    'for (const parcel of parcels) console.log(quote(parcel, zone));',
    'let total = 0;',
    "import { isOversize } from './parcel.ts';",
    'export const ZONES = Object.keys(MIN_PRICE) as readonly Zone[];',
    "type Currency = 'EUR';",
    'interface Price {\n  readonly zone: Zone;\n  readonly euros: number;\n}',
    'async function load(): Promise<void> {\n  await Promise.resolve();\n}',
  ],
  parcel: [
    'if (volume === 0) return weight;',
    'return length * width * height;',
    'const longest = Math.max(length, width, height);',
    'readonly label: string;',
    "export type Size = 'small' | 'medium' | 'large';",
    'let largest = 0;',
    "import { quote } from './quote.ts';",
    'for (const side of [length, width, height]) console.log(side);',
  ],
  session: [
    'if (session.basket.length === 0) return [];',
    'return session.basket;',
    'const count = session.basket.length;',
    'this.#sessions.delete(id);',
    'has(id: string): boolean {\n    return this.#sessions.has(id);\n  }',
    'for (const [id, session] of this.#sessions) if (session.expiresAt <= this.#now()) this.#sessions.delete(id);',
    'let removed = 0;',
    "import { quoteAll } from './quote.ts';",
    'export const SESSIONS = new Sessions();',
  ],
  tests: [
    "assert.equal(quote(BOOK, 'national'), 5.9);",
    'const heavy = { ...BOOK, weight: 10 };',
    "test('an empty basket costs nothing', () => {\n  assert.equal(quoteAll([], 'abroad'), 0);\n});",
    "import { chargeableWeight } from '../src/parcel.ts';",
    "for (const zone of ['local', 'national'] as const) assert.ok(quote(BOOK, zone) > 0);",
    'return;',
    "if (BOOK.fragile) assert.fail('A book is not fragile.');",
    'let total = 0;',
  ],
};

const README = [
  'Run the tests with `node --test test/quote.test.ts`.',
  '## Prices\n\nA parcel costs at least the minimum price of its zone, and a fragile one 2.50 € more.',
  '- `src/parcel.ts` describes a parcel.',
];

/** What follows a value in the middle of a line. */
const MEMBERS: Readonly<Record<string, string>> = {
  parcel: 'weight',
  parcels: 'length',
  Math: 'round(',
  session: 'basket',
  basket: 'length',
  this: '#now()',
  assert: 'equal(',
  console: 'log(',
  sum: 'toFixed(2)',
  total: 'toFixed(2)',
};

/** Returns what to insert at a cursor in the sample folder; undefined if nothing fits. */
function sampleLine(path: string, before: string, after: string): string | undefined {
  const file = sampleFileAt(path);
  if (!isOfSample(path, file, before + after)) return undefined;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const [rest = ''] = after.split('\n');
  const isFree = (text: string) => !before.includes(text) && !after.includes(text);
  if (/^[\s)}\];,]*$/.test(rest)) {
    const comment = file && commentFor(file, line, after);
    if (comment !== undefined) return comment;
    const statements = (file === undefined ? README : STATEMENTS[file]).filter(isFree);
    const written = line.trimStart();
    const next = statements.find((text) => text.startsWith(written) && text !== written);
    if (next !== undefined) return next.slice(written.length);
  }
  return file === undefined ? undefined : (memberAfter(line) ?? restOfWord(line, `${before}\n${after}`));
}

/** Other folders may have a file of the same name. */
function isOfSample(path: string, file: SampleFileName | undefined, text: string): boolean {
  if (file === undefined) return /(?:^|\/)README\.md$/.test(path) && text.includes('# Parcel desk');
  return text.split('\n').some((line) => itemOfLine(file, line) !== undefined);
}

/** The comment of what is in the next line. */
function commentFor(file: SampleFileName, line: string, after: string): string | undefined {
  const written = line.trim();
  const item = itemOfLine(file, after.split('\n')[1] ?? '');
  const [text, ...others] = item?.comment ?? [];
  if (text === undefined || others.length > 0 || (written !== '' && !/^\/[/*]/.test(written))) return undefined;
  return text.startsWith(written) && text !== written ? text.slice(written.length) : undefined;
}

function memberAfter(line: string): string | undefined {
  const value = /(\w+)\.$/.exec(line)?.[1] ?? '';
  if (Object.hasOwn(MEMBERS, value)) return MEMBERS[value];
  if (/(?:=|return|\()\s*$/.test(line)) return /\($/.test(line) ? 'parcel' : ' 0;'.slice(line.endsWith(' ') ? 1 : 0);
  return undefined;
}

/** The rest of a word that is begun, as it is elsewhere in the file. */
function restOfWord(line: string, text: string): string | undefined {
  const begun = /(?<![\w#])[A-Za-z_#]\w+$/.exec(line)?.[0];
  if (begun === undefined) return undefined;
  const words = [...new Set(text.match(/#?[A-Za-z_]\w{3,}/g) ?? [])];
  return words.find((word) => word.startsWith(begun) && word.length > begun.length)?.slice(begun.length);
}
