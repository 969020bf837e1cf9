import assert from 'node:assert/strict';
import fc from 'fast-check';
import { imageSize } from '../../../src/tokens/imageSize.ts';
import { runs } from '../../support/randomRuns.ts';
import { gifHead, jpegHead, pngHead, webpHead } from './images.ts';

describe('imageSize', () => {
  const heads: readonly (readonly [kind: string, head: (width: number, height: number) => string, largest: number])[] =
    [
      ['PNG', pngHead, 2 ** 31 - 1],
      ['GIF', gifHead, 0xffff],
      ['JPEG', jpegHead, 0xffff],
      ['progressive JPEG', (width, height) => jpegHead(width, height, [16], 0xc2), 0xffff],
      ['JPEG behind much metadata', (width, height) => jpegHead(width, height, [65000, 65001, 3]), 0xffff],
      ['lossy WebP', (width, height) => webpHead('VP8 ', width, height), 0x3fff],
      ['lossless WebP', (width, height) => webpHead('VP8L', width, height), 0x4000],
      ['extended WebP', (width, height) => webpHead('VP8X', width, height), 0x1000000],
    ];
  for (const [kind, head, largest] of heads) {
    it(`reads any size of a ${kind}`, () => {
      const edge = fc.integer({ min: 1, max: largest });
      fc.assert(
        fc.property(edge, edge, (width, height) => assert.deepEqual(imageSize(head(width, height)), { width, height })),
        { numRuns: runs(50) },
      );
    });

    it(`finds nothing in a truncated ${kind}`, () => {
      const whole = head(300, 200);
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 12 }), (length) => imageSize(whole.slice(0, length)) === undefined),
      );
    });
  }

  it('reads base64 with line breaks', () => {
    const lines = pngHead(640, 480).replaceAll(/.{10}/g, '$&\r\n');
    assert.deepEqual(imageSize(lines), { width: 640, height: 480 });
  });

  it('finds nothing in other bytes and always terminates', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8]), bytes]).toString('base64');
        for (const data of [Buffer.from(bytes).toString('base64'), jpeg]) {
          const size = imageSize(data);
          assert.ok(size === undefined || size.width > 0);
        }
      }),
    );
    assert.equal(imageSize('not base64 at all!'), undefined);
    assert.equal(imageSize(''), undefined);
    assert.equal(imageSize(`/9j${'/'.repeat(100_000)}`), undefined);
  });

  it('finds nothing in an image with zero width or height', () => assert.equal(imageSize(pngHead(0, 10)), undefined));
});
