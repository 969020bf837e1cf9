/** Counts the tokens of images by the vendors' published rules, in each vendor's own tokens. */
import type { ImagePart } from '../formats/conversation.ts';
import { type ImageSize, imageSize } from './imageSize.ts';

export type ImageRule = (image: ImagePart) => number;

/** An image in low detail, for rules without a separate value. */
const LOW_DETAIL = 85;

/**
 * One token per 750 pixels after scaling the long edge down to 1568, at most 1600. An image whose size cannot be read
 * counts as a large one.
 */
export const byArea: ImageRule = (image) => {
  if (image.detail === 'low') return LOW_DETAIL;
  const size = sizeOf(image);
  if (size === undefined) return 1600;
  const { width, height } = shrink(size, 1568 / Math.max(size.width, size.height));
  return Math.min(1600, Math.max(1, Math.ceil((width * height) / 750)));
};

/**
 * Counts a base, plus an amount per tile of 512 pixels after the image is fitted into 2048 by 2048 and its short edge
 * is scaled down to 768. In low detail, only the base; if the size cannot be read, six tiles.
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

/** Counts the same number for all sizes; a quarter of it in low detail. */
export function flat(tokens: number): ImageRule {
  return ({ detail }) => (detail === 'low' ? tokens / 4 : tokens);
}

function sizeOf({ source }: ImagePart): ImageSize | undefined {
  return source.kind === 'base64' ? imageSize(source.data) : undefined;
}

/** Scales a size down; never enlarges it. */
function shrink({ width, height }: ImageSize, scale: number): ImageSize {
  const factor = Math.min(1, scale);
  return { width: width * factor, height: height * factor };
}
