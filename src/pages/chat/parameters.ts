import type { ReasoningEffort } from '../../rules/reasoningEffort.ts';

/** Parameters of one conversation, except its model and format. */
export interface ParameterValues {
  readonly systemPrompt?: string;
  /** The maximum number of tokens of an answer. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly reasoningEffort?: ReasoningEffort;
  readonly stopSequences?: readonly string[];
}

export type ParameterName = keyof ParameterValues;

export type ParameterChange = { readonly [Name in keyof ParameterValues]: ParameterValues[Name] | null };

/** The workspace's instructions for all models, such as its `AGENTS.md`. */
export interface InstructionsView {
  readonly label: string;
  /** An estimate. */
  readonly tokens: number;
  /** Whether this conversation's requests contain the instructions. */
  readonly isSent: boolean;
}

export interface ParametersView {
  /** The parameters set for this conversation. */
  readonly own: ParameterValues;
  /** The values of parameters that are not set. */
  readonly defaults: ParameterValues;
  /** The names of the user's presets. */
  readonly presets: readonly string[];
  /** Undefined if the workspace has no instructions. */
  readonly instructions?: InstructionsView;
  /** The parameters that the chosen format does not support. Undefined until they were requested. */
  readonly dropped?: readonly ParameterName[];
}
