export interface ByteSink {
  /** @returns false if the client reads slowly. The caller then pauses the call until it can resume. */
  data(chunk: Buffer): boolean;
  /**
   * Must receive the next chunk instead, because this sink would only pass it on. Read again before each chunk, so that
   * many small ones do not go through sinks that have nothing to do with them.
   */
  readonly direct?: ByteSink | undefined;
}
