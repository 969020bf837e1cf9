/**
 * The settings `modelAccess.upstreams` and `modelAccess.gateway.aliases`. Invalid entries are reported, and the others
 * are used.
 */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { FormatError } from '../formats/apiError.ts';
import { check } from '../formats/check.ts';
import { isRecord } from '../formats/json.ts';
import { upstreamShape } from '../gateway/routing/upstreamEntry.ts';

const secretName = z
  .string()
  .check(z.regex(/^[\w.-]+$/, { error: () => l10n.t('Enter the name of a key here, not the key itself.') }));

const marker = z.string().check(z.minLength(1));
/** How the upstream fills in text between two others; the editor's inline suggestions use it. */
const fillIn = z.union([
  z.enum(['suffix', 'fim', 'infill', 'tokens']),
  z.strictObject({ prefix: marker, suffix: marker, middle: marker }),
]);

export type FillIn = z.infer<typeof fillIn>;

const entry = z.strictObject({
  ...upstreamShape,
  fillIn: z.optional(fillIn),
  /** Several keys share the sessions. */
  secret: z.optional(z.union([secretName, z.array(secretName).check(z.minLength(1))])),
});

export type ConfiguredUpstream = z.infer<typeof entry>;

export interface UpstreamList {
  readonly upstreams: readonly ConfiguredUpstream[];
  /** Sentences with the entry, the member, and what it must be. */
  readonly problems: readonly string[];
}

export interface AliasList {
  readonly aliases: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/** Names that select the service, as in `sandbox/model`, or models of other extensions. */
const RESERVED: ReadonlySet<string> = new Set(['hosted', 'sandbox', 'editor']);

export function readUpstreamList(value: unknown): UpstreamList {
  if (!Array.isArray(value)) return { upstreams: [], problems: [l10n.t('modelAccess.upstreams must be a list.')] };
  const upstreams: ConfiguredUpstream[] = [];
  const problems: string[] = [];
  for (const [index, written] of value.entries()) {
    const upstream = readEntry(written);
    const problem = typeof upstream === 'string' ? upstream : refusalOf(upstream, upstreams);
    if (problem !== undefined) problems.push(`${droppedText(written, index)} ${problem}`);
    else if (typeof upstream !== 'string') upstreams.push(upstream);
  }
  return { upstreams, problems };
}

export function readAliasList(value: unknown): AliasList {
  if (!isRecord(value)) return { aliases: {}, problems: [l10n.t('modelAccess.gateway.aliases must be an object.')] };
  const [good, bad] = [Object.entries(value).filter(isAlias), Object.entries(value).filter((pair) => !isAlias(pair))];
  const problems = bad.map(([name]) =>
    l10n.t('The alias “{0}” is ignored. It must be a model name, alone or as upstream/model.', name),
  );
  return { aliases: Object.fromEntries(good), problems };
}

function readEntry(written: unknown): ConfiguredUpstream | string {
  try {
    return check(entry, written);
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

function refusalOf({ id }: ConfiguredUpstream, before: readonly ConfiguredUpstream[]): string | undefined {
  if (RESERVED.has(id)) return l10n.t('id: “{0}” is reserved by Model Access. Choose another.', id);
  return before.some((other) => other.id === id)
    ? l10n.t('id: Another upstream has the id “{0}”. Choose another.', id)
    : undefined;
}

function droppedText(written: unknown, index: number): string {
  return isRecord(written) && typeof written.id === 'string'
    ? l10n.t('Upstream {0} ({1}) in modelAccess.upstreams is ignored.', index + 1, written.id)
    : l10n.t('Upstream {0} in modelAccess.upstreams is ignored.', index + 1);
}

function isAlias(pair: [string, unknown]): pair is [string, string] {
  const [name, model] = pair;
  return name.trim() !== '' && typeof model === 'string' && model.trim() !== '';
}
