/** What an upstream refuses for a model, as users see it. */
export interface ListedRefusal {
  readonly id: string;
  readonly upstream: string;
  readonly model: string;
  /** With which the upstream accepts requests. Empty if no change has helped. */
  readonly changes: readonly string[];
}
