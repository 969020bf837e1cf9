/** Why requests go to other upstreams first, as far as earlier requests have shown it. */
export interface HealthProblem {
  readonly upstream: string;
  /** The upstream's name for the model. Undefined if the problem concerns all of its models. */
  readonly model?: string;
  readonly reason: 'failing' | PauseReason;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** When the upstream is asked again. Undefined if it is failing, because it is then probed until it answers. */
  readonly until?: number;
}

export type PauseReason = 'rate' | 'gone' | 'credit' | 'auth';
