import * as z from 'zod/mini';
import { FORMAT_NAMES } from '../../../formats/conversation.ts';

export const parametersSchema = z.partial(
  z.object({
    model: z.string(),
    format: z.enum(FORMAT_NAMES),
    /** Empty: none, also where the settings have one. */
    systemPrompt: z.string(),
    /** Most tokens of one answer. */
    maxTokens: z.int().check(z.positive()),
    temperature: z.number().check(z.minimum(0), z.maximum(2)),
    reasoningEffort: z.enum(['none', 'low', 'medium', 'high']),
    /** Whether the workspace's instructions are sent; they are unless it is `false`. */
    instructions: z.boolean(),
    stopSequences: z.array(z.string().check(z.minLength(1))),
  }),
);

/** What can be decided for one conversation. What is absent comes from the settings, or is left to the service. */
export type Parameters = Readonly<z.infer<typeof parametersSchema>>;

/** @returns undefined when something else was written there. */
export function readParameters(value: unknown): Parameters | undefined {
  return parametersSchema.safeParse(value).data;
}
