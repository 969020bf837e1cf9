/** An upstream as the user writes it in the editor's settings or in the file of `--config`. */
import * as z from 'zod/mini';
import { FORMAT_NAMES } from '../../formats/conversation.ts';
import { SECRET_POLICIES } from '../../rules/secretPolicy.ts';
import { upstreamLimits } from './routes/routeEntry.ts';

/** The characters of a token in RFC 9110, section 5.6.2. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
export const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
/** The connection and the length of a body are the gateway's own. */
const RESERVED_HEADER =
  /^(?:host|content-length|content-encoding|accept-encoding|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|cookie|proxy-.*|__proto__)$/i;
/** Members that decide which model answers, and in which form. */
const RESERVED_MEMBERS: ReadonlySet<string> = new Set(['model', 'stream', '__proto__']);

const headerName = z.string().check(
  z.regex(HEADER_NAME, 'This must be the name of a header.'),
  z.refine((name) => !RESERVED_HEADER.test(name), 'This header is set by the gateway and cannot be configured.'),
);
const member = z.string().check(
  z.minLength(1),
  z.refine((name) => !RESERVED_MEMBERS.has(name), 'The members "model" and "stream" cannot be configured.'),
);
const price = z.number().check(z.minimum(0));

/** In US dollars per 1M tokens. */
const flatPrices = {
  input: price,
  output: price,
  cachedInput: z.optional(price),
  cacheWrite: z.optional(price),
  longCacheWrite: z.optional(price),
  reasoning: z.optional(price),
  /** Per request, in addition to its tokens. */
  request: z.optional(price),
};
const prices = z.strictObject({
  ...flatPrices,
  /** Prices of requests whose input is longer than a number of tokens. */
  longPrompts: z.optional(
    z.array(
      z.strictObject({
        above: z.int().check(z.minimum(1)),
        ...flatPrices,
        input: z.optional(price),
        output: z.optional(price),
      }),
    ),
  ),
});

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
  /** Values may contain `${env:NAME}`. */
  headers: z.optional(
    z.record(
      headerName,
      z.string().check(z.regex(HEADER_VALUE, 'This can contain only printable ASCII characters and tabs.')),
    ),
  ),
  query: z.optional(z.record(z.string().check(z.minLength(1)), z.string())),
  /** `bearer`, `none`, or the name of the header that carries the key. */
  auth: z.optional(headerName),
  /** By patterns of model names. */
  set: z.optional(z.record(z.string().check(z.minLength(1)), z.record(member, z.unknown()))),
  remove: z.optional(z.record(z.string().check(z.minLength(1)), z.array(member))),
  prices: z.optional(z.record(z.string().check(z.minLength(1)), prices)),
  secrets: z.optional(z.enum([...SECRET_POLICIES])),
  thinkTags: z.optional(z.boolean()),
  webSocket: z.optional(z.boolean()),
};

export type UpstreamEntry = z.infer<z.ZodMiniObject<typeof upstreamShape>>;

function isHttpAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
