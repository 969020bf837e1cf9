/**
 * Durations are counted in logarithmic buckets, eight per octave, so a bucket ends 9 % above its start. Percentiles
 * computed from them are accurate to within 5 % for any number of exchanges.
 */
const PER_OCTAVE = 8;

/** Returns the bucket of a duration in milliseconds. The first bucket contains everything up to 1 ms. */
export function timeBucket(ms: number): number {
  return ms <= 1 ? 0 : Math.floor(Math.log2(ms) * PER_OCTAVE);
}

export function bucketStart(bucket: number): number {
  return bucket <= 0 ? 0 : 2 ** (bucket / PER_OCTAVE);
}

export interface CountedBucket {
  readonly bucket: number;
  readonly exchanges: number;
}

/**
 * Returns a percentile in milliseconds, interpolated within its bucket.
 * @param buckets in ascending order.
 * @param share between 0 and 1, such as 0.95.
 * @returns undefined without exchanges.
 */
export function percentile(buckets: readonly CountedBucket[], share: number): number | undefined {
  const wanted = share * buckets.reduce((sum, { exchanges }) => sum + exchanges, 0);
  let before = 0;
  for (const { bucket, exchanges } of buckets) {
    if (before + exchanges >= wanted && exchanges > 0) {
      const start = bucketStart(bucket);
      return start + (bucketStart(bucket + 1) - start) * ((wanted - before) / exchanges);
    }
    before += exchanges;
  }
  return undefined;
}
