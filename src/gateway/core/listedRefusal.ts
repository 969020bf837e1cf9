/** What an upstream refuses for a model, as users see it. */
export interface ListedRefusal {
  readonly id: string;
  readonly upstream: string;
  readonly model: string;
  /** The changes with which the upstream accepts requests. Empty if none has helped. */
  readonly changes: readonly string[];
}
