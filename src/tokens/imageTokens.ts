/** What images cost by the rules that the vendors publish. All in tokens of the vendor's own. */
import type { ImagePart } from '../formats/conversation.ts';
import { type ImageSize, imageSize } from './imageSize.ts';

export type ImageRule = (image: ImagePart) => number;

/** An image asked for in low detail, where a rule has none of its own. */
const LOW_DETAIL = 85;

/**
 * A token for each 750 pixels, after the long edge was scaled down to 1568; never more than 1600. An image whose size
 * cannot be read is taken for a large one.
 */
export const byArea: ImageRule = (image) => {
  if (image.detail === 'low') return LOW_DETAIL;
  const size = sizeOf(image);
  if (size === undefined) return 1600;
  const { width, height } = shrink(size, 1568 / Math.max(size.width, size.height));
  return Math.min(1600, Math.max(1, Math.ceil((width * height) / 750)));
};

/**
 * A base, and so much for each tile of 512 pixels after the image was fitted into 2048 by 2048 and its short edge scaled
 * down to 768. The base alone in low detail; six tiles where the size cannot be read.
 */
export function byTiles(base: number, perTile: number): ImageRule {
  return (image) => {
    if (image.detail === 'low') return base;
    const size = sizeOf(image);
    if (size === undefined) return base + 6 * perTile;
    const fitted = shrink(size, 2048 / Math.max(size.width, size.height));
    const { width, height } = shrink(fitted, 768 / Math.min(fitted.width, fitted.height));
    return base + perTile * Math.ceil(width / 512) * Math.ceil(height / 512);
  };
}

/** The same for all sizes; a quarter of it in low detail. */
export function flat(tokens: number): ImageRule {
  return ({ detail }) => (detail === 'low' ? tokens / 4 : tokens);
}

function sizeOf({ source }: ImagePart): ImageSize | undefined {
  return source.kind === 'base64' ? imageSize(source.data) : undefined;
}

/** Never enlarges. */
function shrink({ width, height }: ImageSize, scale: number): ImageSize {
  const factor = Math.min(1, scale);
  return { width: width * factor, height: height * factor };
}
