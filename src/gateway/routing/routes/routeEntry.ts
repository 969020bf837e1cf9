/** A route as the user writes it in the editor's settings or in the file of `--config`. */
import * as z from 'zod/mini';

/** Failures after which the next model of a route is always asked. */
export const DEFAULT_TRIGGERS = ['rate', 'server', 'network', 'idle', 'gone', 'auth'] as const;
/** Failures after which the next model is asked only if the route lists them in `also`. */
export const EXTRA_TRIGGERS = ['overflow', 'credit', 'refusal', 'filter'] as const;
/** Classes of requests, as clients send them in the header `x-claude-code-request-class`. */
const REQUEST_CLASSES = ['main', 'subagent', 'workflow', 'compaction', 'auxiliary'] as const;

export type ExtraTrigger = (typeof EXTRA_TRIGGERS)[number];
export type Trigger = (typeof DEFAULT_TRIGGERS)[number] | ExtraTrigger;

/** 0 means no limit. */
const seconds = z.optional(z.number().check(z.minimum(0), z.maximum(86_400)));

/** How long the gateway waits for an upstream. */
export const upstreamLimits = z.strictObject({
  /** Until the headers of the answer. Default: 600. */
  headersSeconds: seconds,
  /** From the request to the first output. Default: no limit. */
  firstTokenSeconds: seconds,
  /** Between two bytes of the answer. Default: 300. */
  idleSeconds: seconds,
});

/** The limits of a route replace those of its upstreams. */
export const routeLimits = z.strictObject({
  firstTokenSeconds: seconds,
  idleSeconds: seconds,
  /** From the request to the end of the answer, including all attempts. Default: no limit. */
  totalSeconds: seconds,
});

/** Models in the order in which they are asked. Each is `upstream/model`, a model, an alias, or another route. */
const use = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));

const ruleShape = {
  class: z.optional(oneOf(REQUEST_CLASSES)),
  /** The agent's name, as clients send it in `x-claude-code-agent-type`. */
  agent: z.optional(z.string().check(z.minLength(1))),
  /** Name or type of a tool that the request offers. */
  tool: z.optional(z.string().check(z.minLength(1))),
  /** Whether the conversation contains an image. */
  image: z.optional(z.boolean()),
  /** True for requests with more input tokens than this, as estimated by the gateway. */
  tokensAbove: z.optional(z.number().check(z.minimum(0))),
  /** True for requests with fewer input tokens than this. */
  tokensBelow: z.optional(z.number().check(z.minimum(0))),
  use,
};

const rule = z.strictObject(ruleShape).check(
  z.refine(({ use: _, ...conditions }) => Object.values(conditions).some((value) => value !== undefined), {
    error: 'A rule needs at least one of class, agent, tool, image, tokensAbove, and tokensBelow.',
  }),
);

export const routeEntry = z.strictObject({
  use,
  also: z.optional(z.array(oneOf(EXTRA_TRIGGERS))),
  when: z.optional(z.array(rule)),
  limits: z.optional(routeLimits),
});

/** Routes by name. Callers use the names as models. */
export const routesEntry = z.record(z.string().check(z.minLength(1), z.maxLength(512)), routeEntry);

export type RouteLimits = z.infer<typeof routeLimits>;
export type RouteRule = z.infer<typeof rule>;
export type RouteSettings = z.infer<typeof routeEntry>;
export type RouteList = Readonly<Record<string, RouteSettings>>;

function oneOf<const Word extends string>(allowed: readonly Word[]) {
  return z.custom<Word>((value) => allowed.some((word) => word === value), {
    error: ({ input }) => `${JSON.stringify(input)} is not allowed here. Use ${quotedList(allowed)}.`,
  });
}

export function quotedList(words: readonly string[]): string {
  const quoted = words.map((word) => JSON.stringify(word));
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
