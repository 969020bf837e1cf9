import type { SessionContext } from '../../../ledger/sessionContext.ts';

export type { ContextFinding } from '../../../ledger/contextFindings.ts';
export type { ContextPartSums } from '../../../ledger/contextSums.ts';
export type { ContextStep } from '../../../ledger/sessionContext.ts';

/** What fills the context of a session, as far as its requests were measured. */
export interface ContextState extends SessionContext {
  readonly sessionId: string;
  /** The names of files and commands by their hashes, as far as the gateway or the ledger has them. */
  readonly names: Readonly<Record<string, string>>;
  /** What switches servers off that are never called, by their names, as a command or a line of a configuration. */
  readonly switchOff: Readonly<Record<string, string>>;
}
