import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as z from 'zod';
import type { JsonObject, JsonValue } from '../../../src/formats/json.ts';
import { schemaValue } from '../../../src/sandbox/schemaValue.ts';

function hints(named: Record<string, string>, quoted: readonly string[] = []) {
  return { hints: { named: new Map(Object.entries(named)), quoted } };
}

const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: fc.nat(40) }),
  fc.constantFrom('date-time', 'date', 'email', 'uuid', 'ipv4').map((format) => ({ type: 'string', format })),
  fc.tuple(fc.integer({ min: -500, max: 500 }), fc.nat(500)).map(([minimum, span]) => ({
    type: 'integer',
    minimum,
    maximum: minimum + span,
  })),
  fc.integer({ min: -500, max: 500 }).map((exclusiveMinimum) => ({ type: 'number', exclusiveMinimum })),
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: 'null' }),
  fc.array(fc.string(), { minLength: 1, maxLength: 4 }).map((list) => ({ type: 'string', enum: list })),
);

const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('schema'), { maxKeys: 4 }).map((properties) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).filter((_, i) => i % 2 === 0),
      additionalProperties: false,
    })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  ),
}));

describe('A value for a JSON Schema', () => {
  it('matches the schema, with and without its optional properties', () => {
    fc.assert(
      fc.property(schema, fc.boolean(), (given, optional) => {
        const reader = z.fromJSONSchema(given as Parameters<typeof z.fromJSONSchema>[0]);
        const result = reader.safeParse(schemaValue(given, { optional }));
        assert.ok(result.success, JSON.stringify(result.error?.issues));
      }),
    );
  });

  const cases: readonly (readonly [string, JsonValue, JsonValue])[] = [
    ['takes the first of an enumeration', { enum: ['metric', 'imperial'] }, 'metric'],
    ['takes a constant', { const: 7 }, 7],
    ['takes a default', { type: 'integer', default: 12 }, 12],
    ['prefers the type that is not null', { type: ['null', 'integer'] }, 1],
    ['prefers the branch that is not null', { anyOf: [{ type: 'null' }, { type: 'boolean' }] }, true],
    ['keeps within a maximal length', { type: 'string', maxLength: 3 }, 'sam'],
    ['rounds up to a multiple', { type: 'integer', minimum: 11, multipleOf: 5 }, 15],
    ['uses the example of a string', { type: 'string', pattern: '^\\d{4}$', examples: ['2026'] }, '2026'],
    ['follows references', { $ref: '#/$defs/unit', $defs: { unit: { type: 'string', enum: ['C', 'F'] } } }, 'C'],
    [
      'joins the parts of an allOf',
      {
        allOf: [
          { properties: { a: { const: 1 } }, required: ['a'] },
          { properties: { b: { const: 2 } }, required: ['b'] },
        ],
      },
      { a: 1, b: 2 },
    ],
    [
      'does not repeat itself in a list of unique items',
      { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'integer' } },
      [1, 2],
    ],
  ];
  for (const [title, given, expected] of cases) {
    it(title, () => assert.deepEqual(schemaValue(given), expected));
  }

  const weather = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' }, unit: { enum: ['metric', 'imperial'] } },
    required: ['city'],
  };

  it('contains what the message names: pairs first, then quoted words in order', () => {
    assert.deepEqual(schemaValue(weather, hints({ days: '3', unit: 'Imperial' }, ['Oslo'])), {
      city: 'Oslo',
      days: 3,
      unit: 'imperial',
    });
  });

  it('omits optional properties that the message does not name', () => {
    assert.deepEqual(schemaValue(weather), { city: 'sample city' });
  });

  it('ignores an invalid number', () => {
    assert.deepEqual(schemaValue(weather, hints({ days: 'many' })), { city: 'sample city', days: 1 });
  });

  it('is safe with the names of inherited members', () => {
    const given = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"const":1}},"required":["__proto__","toString"]}',
    );
    const value = JSON.stringify(schemaValue(given));
    assert.equal(value, '{"__proto__":1,"toString":"sample toString"}');
  });

  for (const [title, given] of [
    ['requires itself', { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' } }, required: ['a', 'b'] }],
    ['is part of itself', { allOf: [{ $ref: '#' }, { $ref: '#' }] }],
    [
      'asks for lists of lists of lists',
      { $ref: '#/$defs/l', $defs: { l: { type: 'array', minItems: 1e9, items: { $ref: '#/$defs/l' } } } },
    ],
  ] as const) {
    it(`is finite if the schema ${title}`, () => {
      assert.ok(JSON.stringify(schemaValue(given)).length < 10_000_000);
    });
  }
});

describe('a demanding schema', () => {
  const long = 'x'.repeat(300_000);
  const manyItems = (items: JsonObject): JsonObject => ({ type: 'array', minItems: 200, items });

  for (const [what, asked] of [
    ['a constant', manyItems({ const: long })],
    ['a default', manyItems({ default: [long] })],
    ['a choice', manyItems({ enum: [long] })],
    ['a long string', manyItems({ type: 'string', minLength: 100_000 })],
    ['a long name', manyItems({ type: 'object', properties: { [long]: { type: 'null' } }, required: [long] })],
  ] as const) {
    it(`gets at most a megabyte, and null for the rest: ${what}`, () => {
      const written = JSON.stringify(schemaValue(asked));
      assert.ok(written.length < 2_000_000, String(written.length));
      assert.ok(written.includes('null'));
    });
  }

  it('gets at most 200 items in a list, however many it requires', () => {
    const fixed = Array.from({ length: 1_000 }, () => ({ type: 'string' }));
    const list = schemaValue({ type: 'array', prefixItems: fixed, maxItems: 1_000_000, uniqueItems: true });
    assert.equal((list as JsonValue[]).length, 200);
  });

  it('is not merged again for each of its properties', () => {
    const names = (count: number) => Array.from({ length: count }, (_, nth) => `a${nth}`);
    const referring = Object.fromEntries(names(5_000).map((name) => [name, { $ref: '#/$defs/x' }]));
    const x = { type: 'object', properties: Object.fromEntries(names(1_000).map((name) => [name, {}])) };
    let reads = 0;
    const definitions = Object.defineProperty({}, 'x', {
      get: () => {
        reads += 1;
        return x;
      },
    });
    schemaValue({ type: 'object', properties: referring, required: names(5_000), $defs: definitions });
    assert.ok(reads > 0 && reads < 200, String(reads));
  });
});
