/** What the entry of an upstream names of the environment. */
import { defined } from '../../formats/json.ts';
import type { FlatPrices, Prices } from '../../service/modelPrices.ts';
import type { CompatibleSettings } from '../upstreams/compatible.ts';
import { HEADER_VALUE, type UpstreamEntry } from './upstreamEntry.ts';

/** The settings of an upstream, with what its entry names of the environment. */
export type ResolvedEntry = Omit<UpstreamEntry, 'headers' | 'prices' | 'secrets'> &
  Pick<CompatibleSettings, 'headers' | 'maskedTexts' | 'prices' | 'secretPolicy'>;

export function resolveEntry<Given extends UpstreamEntry>(
  entry: Given,
  environment: Environment,
): {
  readonly settings: Omit<Given, 'headers' | 'prices' | 'secrets'> & ResolvedEntry;
  readonly unset: readonly string[];
} {
  const { headers: written, prices: listed, secrets: secretPolicy, ...rest } = entry;
  const { headers, secrets, unset } = resolveHeaders(written ?? {}, environment);
  const settings = {
    ...rest,
    ...(written !== undefined && { headers }),
    ...(secretPolicy !== undefined && { secretPolicy }),
    ...(secrets.length > 0 && { maskedTexts: secrets }),
    ...(listed !== undefined && { prices: mapped(listed) }),
  };
  return { settings, unset };
}

type EntryPrices = NonNullable<UpstreamEntry['prices']>[string];

function mapped(listed: Readonly<Record<string, EntryPrices>>): Record<string, Prices> {
  return Object.fromEntries(
    Object.entries(listed).map(([pattern, { longPrompts, ...each }]) => {
      const ofLong = longPrompts
        ?.map(({ above, ...prices }) => ({ ...flat(prices), above }))
        .toSorted((a, b) => a.above - b.above);
      return [pattern, { ...flat(each), ...(ofLong?.length && { longPrompts: ofLong }) }];
    }),
  );
}

type FlatEntry = { readonly [Name in Exclude<keyof EntryPrices, 'longPrompts'>]?: number | undefined };

function flat(prices: FlatEntry): FlatPrices {
  const { input, output, cachedInput, cacheWrite, longCacheWrite, reasoning, request } = prices;
  return defined({
    inputPrice: input,
    outputPrice: output,
    cachedInputPrice: cachedInput,
    cacheWritePrice: cacheWrite,
    longCacheWritePrice: longCacheWrite,
    reasoningPrice: reasoning,
    requestPrice: request,
  });
}

const VARIABLE = /\$\{env:([^}]*)\}/g;
/** Other headers with such names are secret, too. */
const SECRET_NAME = /authorization|key|token|secret|password|credential/i;

type Environment = Readonly<Record<string, string | undefined>>;

interface ResolvedHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Values that must not be shown. */
  readonly secrets: readonly string[];
  /** Environment variables that are not set. Headers that name them are not sent. */
  readonly unset: readonly string[];
}

/** Replaces `${env:NAME}` in the values by environment variables. */
function resolveHeaders(written: Readonly<Record<string, string>>, environment: Environment): ResolvedHeaders {
  const headers: Record<string, string> = {};
  const secrets: string[] = [];
  const unset: string[] = [];
  for (const [name, value] of Object.entries(written)) {
    const variables = [...value.matchAll(VARIABLE)].map(([, variable = '']) => variable);
    const missing = variables.filter((variable) => !environment[variable] || !HEADER_VALUE.test(environment[variable]));
    unset.push(...missing);
    if (missing.length > 0) continue;
    const resolved = value.replace(VARIABLE, (_, variable: string) => environment[variable] ?? '');
    headers[name.toLowerCase()] = resolved;
    secrets.push(...variables.map((variable) => environment[variable] ?? ''));
    if (SECRET_NAME.test(name)) secrets.push(resolved.replace(/^(?:bearer|basic) +/i, ''));
  }
  return { headers, secrets: [...new Set(secrets)], unset };
}
