/** The page that shows what the agent's requests contain besides the conversation, and switches parts of it off. */

export type ConfiguredKind = 'instructions' | 'skills' | 'agents' | 'tools';

export interface ConfiguredItem {
  /** The path of a file, or the name of a tool. */
  readonly id: string;
  readonly name: string;
  /** What it is for, or to which files it applies. */
  readonly detail: string;
  /** The file that is opened. Undefined for a tool. */
  readonly path?: string;
  readonly isOn: boolean;
  /** Estimated, of each step. 0 if steps do not contain it by itself. */
  readonly stepTokens: number;
  /** Estimated, once it applies, is used, or is loaded. */
  readonly usedTokens?: number;
  /** What requests with it have cost because of it, in US dollars, by the ledger. Undefined if it does not say. */
  readonly spent?: number;
  /** Whether it was not used in the steps that are counted. */
  readonly isUnused?: true;
  /** Why it is not used although it is on: a problem of the file, or another file that says the same. */
  readonly problem?: string;
}

export interface ConfiguredSection {
  readonly kind: ConfiguredKind;
  readonly items: readonly ConfiguredItem[];
}

export interface ConfigureAgentState {
  readonly sections: readonly ConfiguredSection[];
  readonly isTrusted: boolean;
  /** The model of the chat, by which prices are computed. */
  readonly model: string;
  /** US dollars per token of input. Undefined if no price is known. */
  readonly tokenPrice?: number;
  /** The steps that {@link ConfiguredItem.isUnused} is about; undefined while they are too few to tell. */
  readonly countedSteps?: number;
  /** What steps contain of each skill's description, in characters: 0 if only its name. Undefined if all are whole. */
  readonly keptDescription?: number;
  /** The tokens that each step saves because definitions of tools are loaded on demand. 0 if they are sent. */
  readonly savedTokens: number;
  /** From which number of tokens on that happens. */
  readonly maxToolTokens: number;
}

export type ConfigureAgentHostMessage = { readonly type: 'state'; readonly state: ConfigureAgentState };
