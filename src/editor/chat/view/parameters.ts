/** What can be decided for one conversation, beside its model and format. */
export interface ParameterValues {
  readonly systemPrompt?: string;
  /** Most tokens of one answer. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly reasoningEffort?: ReasoningEffort;
  readonly stopSequences?: readonly string[];
}

export type ParameterName = keyof ParameterValues;

export type ParameterChange = { readonly [Name in keyof ParameterValues]: ParameterValues[Name] | null };

export type ReasoningEffort = 'none' | 'low' | 'medium' | 'high';

/** What the workspace wants every model to know, such as its `AGENTS.md`. */
export interface InstructionsView {
  readonly label: string;
  /** Estimated. */
  readonly tokens: number;
  /** Whether this conversation's requests carry them. */
  readonly isSent: boolean;
}

export interface ParametersView {
  /** What was decided for this conversation. */
  readonly own: ParameterValues;
  /** What holds where nothing was. */
  readonly defaults: ParameterValues;
  /** Names of the sets that the person saved. */
  readonly presets: readonly string[];
  /** Absent where the workspace has none. */
  readonly instructions?: InstructionsView;
  /** What requests of the chosen format have no place for. Absent until it was asked for. */
  readonly dropped?: readonly ParameterName[];
}
