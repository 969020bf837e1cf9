import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JsonCursor } from '../../../../src/gateway/http/jsonCursor.ts';

/** Reads the whole value with the cursor, entering every object and array. */
function walk(cursor: JsonCursor): unknown {
  switch (cursor.kind) {
    case 'object': {
      const entries: [string, unknown][] = [];
      cursor.object((name) => entries.push([JSON.parse(`"${Buffer.from(name, 'latin1')}"`), walk(cursor)]));
      return Object.fromEntries(entries);
    }
    case 'array': {
      const elements: unknown[] = [];
      cursor.array(() => elements.push(walk(cursor)));
      return elements;
    }
    default: {
      const start = cursor.at;
      cursor.skip();
      return JSON.parse(cursor.bytes.toString('utf8', start, cursor.at));
    }
  }
}

describe('a JSON cursor', () => {
  const value = fc.jsonValue({ noUnicodeString: false }).filter((each) => !JSON.stringify(each).includes('__proto__'));

  it('finds every value of any JSON text, whatever its whitespace', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (json, spaces) => {
        assert.deepEqual(
          walk(new JsonCursor(Buffer.from(JSON.stringify(json, undefined, spaces)))),
          JSON.parse(JSON.stringify(json)),
        );
      }),
    );
  });

  it('skips values that are not read', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        const cursor = new JsonCursor(Buffer.from(JSON.stringify([one, { a: one, b: other }])));
        let found: unknown;
        const onMember = (name: string) => {
          if (name === 'b') found = walk(cursor);
        };
        cursor.array(() => cursor.object(onMember));
        assert.deepEqual(found, JSON.parse(JSON.stringify(other)));
      }),
    );
  });

  it('terminates on any bytes', () => {
    const pieces = fc.array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', ' ', 'x'), { maxLength: 60 });
    fc.assert(
      fc.property(pieces, (chosen) => {
        const cursor = new JsonCursor(Buffer.from(chosen.join('')));
        cursor.object(() => cursor.array(() => cursor.object(() => undefined)));
        cursor.array(() => undefined);
        assert.ok(cursor.at <= cursor.bytes.length);
      }),
    );
  });

  it('skips long strings with quotes in them', () => {
    const long = '\\"'.repeat(200);
    const cursor = new JsonCursor(Buffer.from(JSON.stringify([long, 'end'])));
    assert.deepEqual(walk(cursor), [long, 'end']);
  });
});
