import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** The maximum color difference of a pixel, from 0 to 1: less than the eye can see. */
const THRESHOLD = 0.05;

/** Number of pixels that may differ, because of rounding at the edges of curves. */
const TOLERATED = 12;

export interface PictureDifference {
  /** A description, such as `differs in 240 pixels`. */
  readonly says: string;
  /** A PNG with the differing pixels in red. Undefined if the sizes differ. */
  readonly picture?: Buffer;
}

/**
 * @param kept the PNG to compare with.
 * @returns undefined if they look the same.
 */
export function comparePictures(kept: Buffer, now: Buffer): PictureDifference | undefined {
  if (kept.equals(now)) return undefined;
  const [before, after] = [PNG.sync.read(kept), PNG.sync.read(now)];
  const { width, height } = after;
  if (before.width !== width || before.height !== height) {
    return { says: `is ${width} by ${height}, and was ${before.width} by ${before.height}` };
  }
  const difference = new PNG({ width, height });
  const pixels = pixelmatch(before.data, after.data, difference.data, width, height, { threshold: THRESHOLD });
  if (pixels <= TOLERATED) return undefined;
  return { says: `differs in ${pixels} pixels`, picture: PNG.sync.write(difference) };
}
