/** How often stand-ins were met in an answer. */
export interface OpenedCounts {
  opened: number;
  /** Those that a model has changed, or that come from elsewhere. They stay as they are. */
  unknown: number;
}

/** Restores the secrets in the bytes of an answer, which may be cut anywhere. */
export interface AnswerOpener {
  readonly counts: OpenedCounts;
  /** @returns what can be passed on. */
  push(chunk: Buffer): Buffer;
  /** @returns the rest. */
  end(): Buffer;
}
