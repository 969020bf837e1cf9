/** Test files for the files of the sample folder. Node runs them with `node --test`. */
import type { SampleFileName } from './sampleItems.ts';

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

export function testsOf(file: SampleFileName): string {
  if (file === 'parcel') return PARCEL;
  if (file === 'session') return SESSION;
  return quoteTests(file === 'quote' ? './quote.ts' : '../src/quote.ts');
}
