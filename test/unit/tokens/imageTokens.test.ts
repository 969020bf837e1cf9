import assert from 'node:assert/strict';
import type { ImagePart } from '../../../src/formats/conversation.ts';
import { byArea, byTiles, flat } from '../../../src/tokens/imageTokens.ts';
import { pngHead } from './images.ts';

function png(width: number, height: number, detail?: string): ImagePart {
  const data = pngHead(width, height);
  return { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data }, ...(detail && { detail }) };
}

const REMOTE: ImagePart = { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } };

describe('image token counts', () => {
  const tiles = byTiles(85, 170);

  // The vendors' own examples.
  for (const [rule, width, height, tokens] of [
    ['tiles', 1024, 1024, 765],
    ['tiles', 2048, 4096, 1105],
    ['tiles', 512, 512, 255],
    ['area', 200, 200, 54],
    ['area', 1000, 1000, 1334],
    ['area', 1092, 1092, 1590],
  ] as const) {
    it(`are ${tokens} for ${width} by ${height} pixels by ${rule}`, () => {
      assert.equal((rule === 'tiles' ? tiles : byArea)(png(width, height)), tokens);
    });
  }

  it('are fewer in low detail', () => {
    assert.equal(tiles(png(2048, 2048, 'low')), 85);
    assert.equal(byArea(png(2048, 2048, 'low')), 85);
    assert.equal(flat(1120)(png(10, 10, 'low')), 280);
  });

  it('are those of a large image if the size is unknown', () => {
    assert.equal(tiles(REMOTE), 1105);
    assert.equal(byArea(REMOTE), 1600);
    assert.equal(flat(1120)(REMOTE), 1120);
  });
});
