import assert from 'node:assert/strict';
import { entitiesOf } from '../../../../src/gateway/core/htmlEntities.ts';
import { KeyMask } from '../../../../src/gateway/core/keyMask.ts';

describe('a key with characters that have HTML entities', () => {
  const characters = Array.from({ length: 0x7f - 0x21 }, (_, nth) => String.fromCharCode(0x21 + nth));

  for (const character of characters) {
    for (const { name } of entitiesOf(character)) {
      it(`is masked with &${name}`, () => {
        const key = `key_0123${character}456789abc`;
        const html = `<p>key_0123&${name}456789abc</p>`;
        assert.ok(!KeyMask.of(key)?.text(html).includes('456789abc</p>'));
        const stream = KeyMask.of(key)?.stream();
        const pieces = [...html].map((piece) => stream?.push(Buffer.from(piece)).toString());
        assert.ok(![...pieces, stream?.end() ?? ''].join('').includes('0123&'));
      });
    }
  }
});
