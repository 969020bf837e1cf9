import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** How far the colours of a pixel may be apart, from 0 to 1: less than the eye can see. */
const THRESHOLD = 0.05;

/** Pixels that may differ: rounding at the edges of curves. */
const TOLERATED = 12;

export interface PictureDifference {
  /** Such as `differs in 240 pixels`. */
  readonly says: string;
  /** A PNG with the pixels that differ in red; none when the sizes differ. */
  readonly picture?: Buffer;
}

/** @param kept the PNG to compare with. @returns undefined when they look the same. */
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
