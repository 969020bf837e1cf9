import * as z from 'zod/mini';
import { FORMAT_NAMES } from '../../formats/conversation.ts';
import { REASONING_EFFORTS } from '../../rules/reasoningEffort.ts';

export const parametersSchema = z.partial(
  z.object({
    model: z.string(),
    format: z.enum(FORMAT_NAMES),
    /** Whether the model answers, or acts with tools. Defaults to `ask`. */
    mode: z.enum(['ask', 'agent', 'reviewingAgent']),
    /** The name of the agent that acts. Undefined for the agent without a file. */
    agent: z.string(),
    /** An empty text means no system prompt, even if the settings have one. */
    systemPrompt: z.string(),
    /** The maximum number of tokens of an answer. */
    maxTokens: z.int().check(z.positive()),
    temperature: z.number().check(z.minimum(0), z.maximum(2)),
    reasoningEffort: z.enum(REASONING_EFFORTS),
    /** Whether the workspace's instructions are sent. Defaults to true. */
    instructions: z.boolean(),
    stopSequences: z.array(z.string().check(z.minLength(1))),
  }),
);

/** Parameters of one conversation. Those that are undefined come from the settings, or are left to the service. */
export type Parameters = Readonly<z.infer<typeof parametersSchema>>;

/** Returns undefined if the value is invalid. */
export function readParameters(value: unknown): Parameters | undefined {
  return parametersSchema.safeParse(value).data;
}
