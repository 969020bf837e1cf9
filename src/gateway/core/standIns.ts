/** The stand-ins in the body of a request, for parts of the gateway that keep texts of an answer. */
export interface RequestStandIns {
  /** Returns the stand-ins that occur in a text, with what they stand for. */
  textsIn(text: string): readonly (readonly [standIn: string, text: string])[];
  /** Adds a stand-in that was kept with such a text. */
  know(standIn: string, text: string): void;
}

/** Secrets that were replaced, each counted once. */
export interface SealedFacts {
  readonly count: number;
  readonly kinds: readonly string[];
  /** Stand-ins in the answer that could not be restored. */
  unknown?: number;
}
