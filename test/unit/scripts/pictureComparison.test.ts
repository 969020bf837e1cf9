import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import { comparePictures } from '../../../scripts/lib/pictureComparison.ts';

const SIDE = 20;

/** Returns a white square with a black one of `side` in its corner. */
function picture(side: number, size = SIDE): Buffer {
  const png = new PNG({ width: size, height: size });
  for (let index = 0; index < size * size; index += 1) {
    const shade = index % size < side && Math.floor(index / size) < side ? 0 : 255;
    png.data.set([shade, shade, shade, 255], index * 4);
  }
  return PNG.sync.write(png);
}

describe('screenshot comparison', () => {
  it('reports nothing for identical images', () => {
    assert.equal(comparePictures(picture(8), picture(8)), undefined);
  });

  it('tolerates a few pixels', () => {
    assert.equal(comparePictures(picture(0), picture(2)), undefined);
  });

  it('reports how many pixels differ, and shows where', () => {
    const difference = comparePictures(picture(0), picture(8));
    assert.equal(difference?.says, 'differs in 64 pixels');
    assert.equal(PNG.sync.read(difference?.picture ?? Buffer.of()).width, SIDE);
  });

  it('reports different sizes', () => {
    assert.equal(comparePictures(picture(0), picture(0, 30))?.says, 'is 30 by 30, and was 20 by 20');
  });
});
