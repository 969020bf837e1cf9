/**
 * Times are counted in buckets, eight to an octave: each ends 9 % above where it begins. Percentiles come from them, so
 * they are right within 5 %, whatever the number of exchanges.
 */
const PER_OCTAVE = 8;

/** The bucket of a time in milliseconds; all up to 1 ms are in the first one. */
export function timeBucket(ms: number): number {
  return ms <= 1 ? 0 : Math.floor(Math.log2(ms) * PER_OCTAVE);
}

/** Where a bucket begins, in milliseconds. */
export function bucketStart(bucket: number): number {
  return bucket <= 0 ? 0 : 2 ** (bucket / PER_OCTAVE);
}

export interface CountedBucket {
  readonly bucket: number;
  readonly exchanges: number;
}

/**
 * The time below which a share of the exchanges lies, in milliseconds: within its bucket by proportion.
 * @param buckets in their order
 * @returns undefined without exchanges
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
