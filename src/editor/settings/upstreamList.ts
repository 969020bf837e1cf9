/** The settings `modelAccess.upstreams` and `modelAccess.gateway.aliases`: what is wrong is told, and the rest counts. */
import * as z from 'zod/mini';
import { FormatError } from '../../formats/apiError.ts';
import { check } from '../../formats/check.ts';
import { upstreamShape } from '../../gateway/routing/upstreamEntry.ts';
import { isRecord } from '../../service/json.ts';

const entry = z.strictObject({
  ...upstreamShape,
  secret: z.optional(z.string().check(z.regex(/^[\w.-]+$/, 'This must be the name of a key, not the key itself.'))),
});

export type ConfiguredUpstream = z.infer<typeof entry>;

export interface UpstreamList {
  readonly upstreams: readonly ConfiguredUpstream[];
  /** In sentences that name the entry, the member and what it must be. */
  readonly problems: readonly string[];
}

export interface AliasList {
  readonly aliases: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/** By these the service itself is picked, as in `sandbox/model`. */
const RESERVED: ReadonlySet<string> = new Set(['hosted', 'sandbox']);

export function readUpstreamList(value: unknown): UpstreamList {
  if (!Array.isArray(value)) return { upstreams: [], problems: ['modelAccess.upstreams must be a list.'] };
  const upstreams: ConfiguredUpstream[] = [];
  const problems: string[] = [];
  for (const [index, written] of value.entries()) {
    const upstream = readEntry(written);
    const problem = typeof upstream === 'string' ? upstream : refusalOf(upstream, upstreams);
    if (problem !== undefined) problems.push(`${nameOf(written, index)} is left out. ${problem}`);
    else if (typeof upstream !== 'string') upstreams.push(upstream);
  }
  return { upstreams, problems };
}

export function readAliasList(value: unknown): AliasList {
  if (!isRecord(value)) return { aliases: {}, problems: ['modelAccess.gateway.aliases must be an object.'] };
  const [good, bad] = [Object.entries(value).filter(isAlias), Object.entries(value).filter((pair) => !isAlias(pair))];
  const problems = bad.map(
    ([name]) => `The alias “${name}” is left out. It must be a model’s name, alone or as upstream/model.`,
  );
  return { aliases: Object.fromEntries(good), problems };
}

/** @returns what is wrong, when something is. */
function readEntry(written: unknown): ConfiguredUpstream | string {
  try {
    return check(entry, written);
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

function refusalOf({ id }: ConfiguredUpstream, before: readonly ConfiguredUpstream[]): string | undefined {
  if (RESERVED.has(id)) return `id: “${id}” stands for the service itself. Choose another.`;
  return before.some((other) => other.id === id)
    ? `id: Another upstream has the id “${id}”. Choose another.`
    : undefined;
}

function nameOf(written: unknown, index: number): string {
  const id = isRecord(written) && typeof written.id === 'string' ? ` (${written.id})` : '';
  return `Upstream ${index + 1}${id} in modelAccess.upstreams`;
}

function isAlias(pair: [string, unknown]): pair is [string, string] {
  const [name, model] = pair;
  return name.trim() !== '' && typeof model === 'string' && model.trim() !== '';
}
