import type { LocatedSecret } from './locatedSecret.ts';

export interface SecretRule {
  readonly kind: string;
  /** Texts of which each match contains one. Without any, the rule is tried on every text. */
  readonly anchors: readonly string[];
  readonly isIn: (text: string) => boolean;
  /** Returns where the secrets are, without what they are assigned to. */
  readonly locate: (text: string) => LocatedSecret[];
}
