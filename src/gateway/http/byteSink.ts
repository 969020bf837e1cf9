export interface ByteSink {
  /** @returns false if the client reads slowly. The caller then pauses the call until it can resume. */
  data(chunk: Buffer): boolean;
  /** Must receive the next chunk instead, because this sink would only pass it on. Read again before each chunk. */
  readonly direct?: ByteSink | undefined;
}
