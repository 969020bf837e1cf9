import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { isRecord, type JsonObject } from '../../../../src/formats/json.ts';
import { plainParameters } from '../../../../src/formats/repairs/plainSchema.ts';
import { runs } from '../../../support/randomRuns.ts';

const FIXTURES = new URL('../../../fixtures/agents/', import.meta.url);
const KEYWORDS = ['type', 'description', 'enum', 'properties', 'required', 'items', 'anyOf'];
const BOUNDS = ['minimum', 'maximum', 'minItems', 'maxItems'];

/** Checks what the strictest servers demand of each schema. */
function checkPlain(schema: unknown, path = 'root'): void {
  assert.ok(isRecord(schema), path);
  for (const keyword of Object.keys(schema))
    assert.ok([...KEYWORDS, ...BOUNDS].includes(keyword), `${path}: ${keyword}`);
  const { type, anyOf, items, properties, required = [], enum: values } = schema as Record<string, unknown>;
  assert.equal(typeof type === 'string', anyOf === undefined, `${path} has a type or branches`);
  if (type === 'array') checkPlain(items, `${path}.items`);
  if (values !== undefined)
    assert.ok(type === 'string' && (values as unknown[]).every((value) => typeof value === 'string'), path);
  for (const branch of Array.isArray(anyOf) ? anyOf : []) checkPlain(branch, `${path}.anyOf`);
  const named = isRecord(properties) ? properties : {};
  for (const name of required as string[]) assert.ok(Object.hasOwn(named, name), `${path} has ${name}`);
  for (const [name, inner] of Object.entries(named)) checkPlain(inner, `${path}.${name}`);
}

function schemasIn(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(schemasIn);
  if (!isRecord(value)) return [];
  const own = [value.parameters, value.input_schema].filter((each) => isRecord(each)) as JsonObject[];
  return [...own, ...Object.values(value).flatMap(schemasIn)];
}

const { schema } = fc.letrec<{ schema: JsonObject; node: JsonObject }>((tie) => ({
  schema: fc.oneof({ maxDepth: 3 }, fc.constant({}), fc.constant({ $ref: '#' }), tie('node')),
  node: fc.record(
    {
      type: fc.constantFrom('object', 'string', 'array', 'number', 'null', ['string', 'null'], ['object', 'array']),
      description: fc.constant('Says what it is.'),
      enum: fc.constantFrom(['a', 'b'], [1, 2], [null, 'a']),
      const: fc.constantFrom('a', 1, true),
      properties: fc.dictionary(fc.constantFrom('a', 'b', '$ref'), tie('schema'), { maxKeys: 2 }),
      required: fc.subarray(['a', 'b', 'c']),
      items: tie('schema'),
      anyOf: fc.array(tie('schema'), { maxLength: 2 }),
      oneOf: fc.array(tie('schema'), { maxLength: 2 }),
      allOf: fc.array(tie('schema'), { maxLength: 2 }),
      $ref: fc.constantFrom('#/$defs/x', '#', '#/$defs/none', 'https://example.com/x'),
      $defs: fc.constant({ x: { type: 'object', properties: { y: { $ref: '#/$defs/x' } } } }),
      additionalProperties: fc.constantFrom(false, true, {}),
      pattern: fc.constant('^x'),
      minimum: fc.constant(1),
      not: fc.constant({ type: 'string' }),
      nullable: fc.constant(true),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>,
}));

describe('schemas in plain form', () => {
  it('have nothing that the strictest servers do not read, whatever they had', () => {
    fc.assert(
      fc.property(schema, (each) => {
        const plain = plainParameters(each);
        assert.equal(plain.type, 'object');
        checkPlain(plain);
      }),
      { numRuns: runs(200) },
    );
  });

  it('keep all properties of the tools of agents', () => {
    const files = readdirSync(FIXTURES).filter((name) => name.endsWith('.json'));
    const schemas = files.flatMap((name) => schemasIn(JSON.parse(readFileSync(new URL(name, FIXTURES), 'utf8'))));
    assert.ok(schemas.length > 50, String(schemas.length));
    for (const each of schemas) {
      const plain = plainParameters(each);
      checkPlain(plain);
      assert.deepEqual(Object.keys(plain.properties ?? {}), Object.keys(each.properties ?? {}));
    }
  });

  it('stay small if they refer to themselves in many places', () => {
    const again = Array.from({ length: 20 }, () => ({ $ref: '#/$defs/x', title: 'x' }));
    const $defs = { x: { anyOf: again, allOf: again, properties: { y: { oneOf: again } } } };
    const size = JSON.stringify(plainParameters({ anyOf: again, oneOf: again, allOf: again, $defs })).length;
    assert.ok(size < 1_000_000, String(size));
  });

  it('say in words what their keywords said', () => {
    const properties = { a: { type: 'string', description: 'A name.', pattern: '^x', enum: [1, 2] } };
    const { a } = plainParameters({ properties }).properties as Record<string, JsonObject>;
    assert.deepEqual(a, {
      type: 'string',
      description: 'A name.\n\nThe value is one of [1,2].\n\nThe text matches the regular expression "^x".',
    });
  });
});
