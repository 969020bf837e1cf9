/**
 * What the context of a request consists of. `instructions` are files such as `AGENTS.md` that the system prompt or a
 * message contains, `tools` definitions, and `stored` what the upstream keeps and the request does not contain.
 */
export const CONTEXT_KINDS = [
  'system',
  'instructions',
  'tools',
  'messages',
  'answers',
  'reasoning',
  'calls',
  'results',
  'images',
  'documents',
  'summaries',
  'stored',
  'other',
] as const;

export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** Whether contexts are measured, and whether the ledger gets the names of files, too. */
export type ContextMeasuring = boolean | 'fileNames';

/** Identifies a part of a context. The same part of two requests has the same members. */
export interface ContextPart {
  readonly kind: ContextKind;
  /** The name of a tool, of a file with instructions, or of a type. */
  readonly name?: string;
  /** The server that a tool belongs to. */
  readonly server?: string;
  /** A keyed hash of the file or command that a call names. */
  readonly file?: string;
  /** A checksum of the content of a large result or an image, which is a part of its own. */
  readonly item?: string;
  /** Whether the same content was in the context before. */
  readonly isRepeated?: true;
}

/** A part as measured in one request. */
export interface MeasuredPart extends ContextPart {
  /** The file or command. Kept in memory only, unless names are wanted in the ledger. */
  readonly fileName?: string;
  /** Number of calls of the tool since the previous request of the conversation. */
  readonly calls?: number;
  /** Whether a large result has not been mentioned by any answer or call since. */
  readonly isUnused?: true;
  /** Whether the definition has changed, so that the cache missed. */
  readonly isChanged?: true;
}

/** The estimated composition of one request. Contains no content. */
export interface MeasuredContext {
  readonly parts: readonly MeasuredPart[];
  /** The parts in the order of the prompt, each as its index in `parts` and its estimated tokens. */
  readonly order: readonly number[];
  /** False if the model reads more than the request contains, so that the rest of the billed input is `stored`. */
  readonly isWhole: boolean;
}

/** A part with the tokens that were billed for it in one request. */
export interface BilledPart extends MeasuredPart {
  readonly tokens: number;
  /** Billionths of a US dollar. Undefined if the price is not known. */
  readonly cost?: number;
}

/** How the billed input of a request is divided. */
export interface BilledContext {
  /** The billed tokens for each estimated token. */
  readonly scale: number;
  readonly parts: readonly BilledPart[];
}

/** Returns a text that is the same for the same part. */
export function partKey({ kind, name = '', server = '', file = '', item = '', isRepeated }: ContextPart): string {
  return `${kind}\n${name}\n${server}\n${file}\n${item}\n${isRepeated === true ? 1 : ''}`;
}
