import type { SealedBody } from './bodySealer.ts';
import type { KnownSecret } from './secretTable.ts';

export interface SealAnswer {
  /** Undefined if nothing was replaced. */
  readonly body?: Uint8Array<ArrayBuffer>;
  /** The stand-ins with what they stand for. */
  readonly texts: readonly (readonly [standIn: string, text: string])[];
  readonly secrets: readonly KnownSecret[];
  /** Whether the request demands that the model writes JSON. */
  readonly isStructured: boolean;
}

export function sealAnswer({ body, table, secrets, isStructured }: SealedBody, given: Buffer): SealAnswer {
  // Short buffers are parts of a larger one.
  return { ...(body !== given && { body: new Uint8Array(body) }), texts: [...table.texts], secrets, isStructured };
}

/** Returns the kinds of secrets, each once and sorted. */
export function kindsOf(secrets: readonly KnownSecret[]): readonly string[] {
  return [...new Set(secrets.map(({ kind }) => kind))].sort();
}
