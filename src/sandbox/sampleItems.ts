/** What is in the files of the sample folder: comments that document it, and sentences that explain it. */
import type { SampleLanguage } from './sampleQuestions.ts';

export interface SampleItem {
  /** The beginning of its first line, without indentation. */
  readonly mark: string;
  /** The comment above it, line by line. */
  readonly comment: readonly string[];
  /** What it does. Undefined for lines within an item that is explained. */
  readonly about?: Readonly<Record<SampleLanguage, string>>;
}

const QUOTE: readonly SampleItem[] = [
  {
    mark: 'export type Zone',
    comment: ['/** Where a parcel is sent to. */'],
    about: {
      en: '`Zone` is the place that a parcel is sent to: `local`, `national`, or `abroad`.',
      de: '`Zone` ist das Ziel eines Pakets: `local`, `national` oder `abroad`.',
      zh: '`Zone` 是包裹的目的地：`local`、`national` 或 `abroad`。',
    },
  },
  {
    mark: 'const PRICE_PER_KILOGRAM',
    comment: ['/** Euros per kilogram, by zone. */'],
    about: {
      en: '`PRICE_PER_KILOGRAM` has the price of a kilogram in each zone, in euros.',
      de: '`PRICE_PER_KILOGRAM` enthält den Preis eines Kilogramms je Zone in Euro.',
      zh: '`PRICE_PER_KILOGRAM` 是每个区域每千克的价格，单位为欧元。',
    },
  },
  {
    mark: 'const MIN_PRICE',
    comment: ['/** The least that a parcel costs, in euros, by zone. */'],
    about: {
      en: '`MIN_PRICE` is the least that a parcel costs in each zone, however light it is.',
      de: '`MIN_PRICE` ist der Mindestpreis eines Pakets je Zone, so leicht es auch ist.',
      zh: '`MIN_PRICE` 是每个区域的最低价格，无论包裹多轻。',
    },
  },
  {
    mark: 'const FRAGILE_SURCHARGE',
    comment: ['/** What a fragile parcel costs more, in euros. */'],
    about: {
      en: '`FRAGILE_SURCHARGE` is what a fragile parcel costs more.',
      de: '`FRAGILE_SURCHARGE` ist der Aufpreis für ein zerbrechliches Paket.',
      zh: '`FRAGILE_SURCHARGE` 是易碎包裹的附加费。',
    },
  },
  {
    mark: 'export function quote(',
    comment: [
      '/**',
      ' * Returns what a parcel costs, in euros and rounded to cents: its chargeable weight at the price of the zone, at least',
      ' * the minimum price of the zone, and a surcharge if it is fragile.',
      ' */',
    ],
    about: {
      en: '`quote` multiplies the chargeable weight of a parcel by the price of its zone, takes the minimum price if that is more, adds the surcharge for a fragile parcel, and rounds to cents. A weight of zero is accepted and costs the minimum price.',
      de: '`quote` multipliziert das berechnete Gewicht eines Pakets mit dem Preis der Zone, nimmt den Mindestpreis, wenn er höher ist, addiert den Aufpreis für ein zerbrechliches Paket und rundet auf Cent. Ein Gewicht von null wird angenommen und kostet den Mindestpreis.',
      zh: '`quote` 用计费重量乘以区域单价，若低于最低价格则取最低价格，再加上易碎附加费，并四舍五入到分。重量为零也会被接受，并按最低价格计费。',
    },
  },
  { mark: 'const byWeight', comment: ['// Large light parcels are charged by their volume.'] },
  { mark: 'const price =', comment: ['// The surcharge is added to the minimum price, too.'] },
  {
    mark: 'return Math.round(price',
    comment: ['// Binary fractions are slightly off, so the price is rounded to cents.'],
  },
  {
    mark: 'export function quoteAll(',
    comment: [
      '/**',
      ' * Returns what a basket of parcels to one zone costs, in euros. From five parcels on, the whole basket costs a tenth',
      ' * less.',
      ' */',
    ],
    about: {
      en: '`quoteAll` adds the prices of all parcels, and subtracts a tenth from five parcels on. Only the discounted sum is rounded, so a smaller basket can have a fraction of a cent.',
      de: '`quoteAll` addiert die Preise aller Pakete und zieht ab fünf Paketen ein Zehntel ab. Nur die Summe mit Rabatt wird gerundet, daher kann ein kleinerer Korb Bruchteile eines Cents haben.',
      zh: '`quoteAll` 将所有包裹的价格相加，五个及以上减去十分之一。只有打折后的合计会取整，因此较小的购物篮可能有不足一分的零头。',
    },
  },
  { mark: 'const sum =', comment: ['// Each parcel has its own price, which is already rounded.'] },
  {
    mark: 'return parcels.length',
    comment: ['// The discount is for the whole basket, not for the parcels from the fifth on.'],
  },
];

const PARCEL: readonly SampleItem[] = [
  {
    mark: 'export interface Parcel',
    comment: ['/** A parcel as it is measured and weighed when it is handed in. */'],
    about: {
      en: '`Parcel` describes a parcel: its sides in centimetres, its weight in kilograms, and whether it is fragile.',
      de: '`Parcel` beschreibt ein Paket: seine Seiten in Zentimetern, sein Gewicht in Kilogramm und ob es zerbrechlich ist.',
      zh: '`Parcel` 描述一个包裹：以厘米为单位的边长、以千克为单位的重量，以及是否易碎。',
    },
  },
  { mark: 'readonly fragile', comment: ['/** Whether it is carried separately, for a surcharge. */'] },
  {
    mark: 'export function chargeableWeight(',
    comment: [
      '/**',
      ' * Returns the kilograms that a parcel is charged for: its weight, or its volume at 200 kg a cubic metre if that is more,',
      ' * because large light parcels take the room of heavy ones.',
      ' */',
    ],
    about: {
      en: '`chargeableWeight` returns the weight of a parcel, or that of its volume at 200 kg a cubic metre if it is more. The sides are in centimetres, hence the division by a million.',
      de: '`chargeableWeight` liefert das Gewicht eines Pakets oder das seines Volumens bei 200 kg je Kubikmeter, wenn es höher ist. Die Seiten sind in Zentimetern, daher die Division durch eine Million.',
      zh: '`chargeableWeight` 返回包裹的重量；若按每立方米 200 千克折算的体积重量更大，则返回后者。边长以厘米为单位，因此除以一百万。',
    },
  },
  { mark: 'const volume', comment: ['// From cubic centimetres to cubic metres.'] },
  { mark: 'return Math.max(weight', comment: ['// 200 kg for each cubic metre.'] },
];

const SESSION: readonly SampleItem[] = [
  { mark: 'const LIFETIME_MS', comment: ['/** How long a basket is kept after its last use, in milliseconds. */'] },
  {
    mark: 'interface Session',
    comment: ['/** A basket, and until when it is kept, in milliseconds since the epoch. */'],
  },
  {
    mark: 'export class Sessions',
    comment: [
      '/**',
      ' * Baskets by the ID of their session, kept for half an hour after their last use. An expired basket is empty when it is',
      ' * used again.',
      ' */',
    ],
    about: {
      en: '`Sessions` keeps a basket for each session. Every use of a basket extends its life by half an hour. Expired baskets are replaced when they are used again, but never removed from the map.',
      de: '`Sessions` führt für jede Sitzung einen Korb. Jede Verwendung verlängert sein Leben um eine halbe Stunde. Abgelaufene Körbe werden bei der nächsten Verwendung ersetzt, aber nie aus der Map entfernt.',
      zh: '`Sessions` 为每个会话保存一个购物篮。每次使用都会将其有效期延长半小时。过期的购物篮在再次使用时被替换，但从不从映射中移除。',
    },
  },
  { mark: 'constructor(', comment: ['/** @param now returns the time in milliseconds since the epoch. */'] },
  {
    mark: 'add(',
    comment: ['/** Adds a parcel to the basket of a session, and returns the basket. */'],
    about: {
      en: '`add` puts a parcel into the basket of a session and returns the basket itself, so its caller could change it.',
      de: '`add` legt ein Paket in den Korb einer Sitzung und liefert den Korb selbst, den der Aufrufer also ändern könnte.',
      zh: '`add` 将包裹放入会话的购物篮，并返回该购物篮本身，因此调用者可能会更改它。',
    },
  },
  {
    mark: 'basket(',
    comment: ['/** Returns the basket of a session. Reading it counts as a use. */'],
    about: {
      en: '`basket` returns the basket of a session, which counts as a use.',
      de: '`basket` liefert den Korb einer Sitzung, was als Verwendung zählt.',
      zh: '`basket` 返回会话的购物篮，这也算作一次使用。',
    },
  },
  {
    mark: '#touch(',
    comment: ['/** Returns the session with this ID, or a new one if it has expired, and extends its life. */'],
    about: {
      en: '`#touch` finds a session that has not expired or begins a new one, and extends its life.',
      de: '`#touch` findet eine Sitzung, die nicht abgelaufen ist, oder beginnt eine neue, und verlängert ihr Leben.',
      zh: '`#touch` 查找尚未过期的会话，否则新建一个，并延长其有效期。',
    },
  },
  { mark: 'const session = known', comment: ['// An expired basket is replaced by an empty one.'] },
];

const TESTS: readonly SampleItem[] = [
  { mark: 'const BOOK', comment: ['/** A light parcel whose volume does not count. */'] },
  {
    mark: "test('a light parcel",
    comment: ['// 0.6 kg at 1.20 € would be 0.72 €.'],
    about: {
      en: 'The first test checks that a light parcel costs the minimum price of its zone.',
      de: 'Der erste Test prüft, dass ein leichtes Paket den Mindestpreis seiner Zone kostet.',
      zh: '第一个测试检查轻包裹按所在区域的最低价格计费。',
    },
  },
  {
    mark: "test('five parcels",
    comment: ['// 5 × 3.50 €, less a tenth.'],
    about: {
      en: 'The second test checks the discount: five parcels at €3.50 cost €15.75.',
      de: 'Der zweite Test prüft den Rabatt: Fünf Pakete zu 3,50 € kosten 15,75 €.',
      zh: '第二个测试检查折扣：五个 3.50 欧元的包裹共 15.75 欧元。',
    },
  },
];

export type SampleFileName = 'quote' | 'parcel' | 'session' | 'tests';

const FILES: Readonly<Record<SampleFileName, { readonly path: RegExp; readonly items: readonly SampleItem[] }>> = {
  quote: { path: /(?:^|\/)src\/quote\.ts$/, items: QUOTE },
  parcel: { path: /(?:^|\/)src\/parcel\.ts$/, items: PARCEL },
  session: { path: /(?:^|\/)src\/session\.ts$/, items: SESSION },
  tests: { path: /(?:^|\/)test\/quote\.test\.ts$/, items: TESTS },
};

export function sampleFileAt(path: string): SampleFileName | undefined {
  return (Object.keys(FILES) as SampleFileName[]).find((name) => FILES[name].path.test(path));
}

export function itemOfLine(file: SampleFileName, line: string): SampleItem | undefined {
  const text = line.trimStart();
  return FILES[file].items.find(({ mark }) => text.startsWith(mark));
}
