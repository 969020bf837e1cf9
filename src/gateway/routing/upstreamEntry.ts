/** An upstream as the user writes it in the editor's settings or in the file of `--config`. */
import * as z from 'zod/mini';
import { FORMAT_NAMES } from '../../formats/conversation.ts';
import { upstreamLimits } from './routes/routeEntry.ts';

/** The members that exist in both. */
export const upstreamShape = {
  id: z.string().check(z.regex(/^[\w.-]+$/, 'This can contain only letters, digits, dots, hyphens, and underscores.')),
  baseUrl: z.string().check(z.refine(isHttpAddress, 'This must start with http:// or https://.')),
  formats: z.array(z.enum([...FORMAT_NAMES])).check(z.minLength(1)),
  models: z._default(z.array(z.string().check(z.minLength(1))), ['*']),
  askUsage: z.optional(z.boolean()),
  cache: z.optional(z.enum(['auto'])),
  limits: z.optional(upstreamLimits),
  maxTokensPerSecond: z.optional(z.number().check(z.refine((speed) => speed > 0, 'This must be a positive number.'))),
};

function isHttpAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
