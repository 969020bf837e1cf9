import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { FormatError } from '../../../src/formats/apiError.ts';
import { check, openUnion } from '../../../src/formats/check.ts';
import { checkEvent } from '../../../src/formats/tolerant.ts';

const shape = openUnion([
  z.looseObject({ type: z.literal('circle'), radius: z.number() }),
  z.looseObject({ type: z.literal(['square', 'tile']), side: z.number() }),
]);
const drawing = z.looseObject({
  name: z.string().check(z.minLength(2)),
  shapes: z.union([z.string(), z.array(shape.schema)]),
  layer: z.optional(z.int().check(z.maximum(9))),
  visible: z.nullish(z.literal(['yes', 'no'])),
});
const valid = { name: 'One', shapes: [] };

function problem(value: unknown): string {
  try {
    check(drawing, value);
  } catch (error) {
    if (error instanceof FormatError) return `${error.path} | ${error.message}`;
    throw error;
  }
  return assert.fail('The value was taken.');
}

describe('check', () => {
  it('returns the value including fields that are not in the schema', () => {
    const value = { ...valid, extra: { deep: [1] }, shapes: [{ type: 'circle', radius: 1, color: 'red' }] };
    assert.deepEqual(check(drawing, value), value);
  });

  it('names the field and the expected value', () => {
    assert.equal(problem(7), ' | This must be an object.');
    assert.equal(problem({ shapes: [] }), 'name | name: This must be a string.');
    assert.equal(problem({ ...valid, name: 'x' }), 'name | name: This must be at least 2 characters long.');
    assert.equal(problem({ ...valid, layer: 10 }), 'layer | layer: This must be at most 9.');
    assert.equal(problem({ ...valid, layer: 0.5 }), 'layer | layer: This must be a whole number.');
    assert.equal(problem({ ...valid, visible: 'no way' }), 'visible | visible: This must be "yes" or "no".');
  });

  it('lists every choice of a union, or describes the branch that matched furthest', () => {
    assert.equal(problem({ ...valid, shapes: 5 }), 'shapes | shapes: This must be a string or an array.');
    const bad = { ...valid, shapes: [{ type: 'circle', radius: 1 }, { type: 'circle' }] };
    assert.equal(problem(bad), 'shapes.1.radius | shapes.1.radius: This must be a number.');
    const types = '"circle" or "square" or "tile"';
    assert.equal(problem({ ...valid, shapes: [{}] }), `shapes.0.type | shapes.0.type: This must be ${types}.`);
  });
});

describe('openUnion', () => {
  it('accepts objects of unknown types unchanged and distinguishes them from known ones', () => {
    const value = { type: 'star', points: 5 };
    assert.deepEqual(check(shape.schema, value), value);
    assert.equal(shape.isKnown(value), false);
    assert.equal(shape.isKnown({ type: 'tile' }), true);
  });

  it('rejects an invalid object of a known type', () => {
    assert.throws(() => check(shape.schema, { type: 'tile', side: 'long' }), /^FormatError: side: /);
  });
});

describe('checkEvent', () => {
  it('returns a valid event', () => {
    const event = { type: 'circle', radius: 2 };
    assert.deepEqual(checkEvent(shape.schema, { data: JSON.stringify(event) }), { type: 'event', event });
  });

  it('returns a malformed event for invalid JSON or an invalid event', () => {
    assert.deepEqual(checkEvent(shape.schema, { data: '{"type"' }), {
      type: 'malformed',
      problem: 'The event is not JSON.',
      data: '{"type"',
      isLost: true,
    });
    assert.deepEqual(checkEvent(shape.schema, { data: 'keep-alive' }), {
      type: 'malformed',
      problem: 'The event is not JSON.',
      data: 'keep-alive',
    });
    const misfit = checkEvent(shape.schema, { data: '{"type":"circle"}' });
    assert.deepEqual(misfit, {
      type: 'malformed',
      problem: 'radius: This must be a number.',
      data: '{"type":"circle"}',
    });
  });

  it('never throws, and keeps only part of malformed data', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (data) => {
        const item = checkEvent(shape.schema, { data });
        assert.ok(item.type === 'event' || item.type === 'malformed');
      }),
    );
    const long = checkEvent(shape.schema, { data: 'x'.repeat(10_000) });
    assert.ok(long.type === 'malformed' && long.data.length <= 500);
  });
});
