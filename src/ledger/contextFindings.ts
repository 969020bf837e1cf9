import { defined } from '../formats/json.ts';
import { type BilledPart, type ContextPart, partKey } from '../rules/contextPart.ts';
import type { ContextRow } from './contextRow.ts';
import { toolKey } from './contextSums.ts';
import { toDollars } from './cost.ts';

/**
 * What a session has paid for without use. `unused_server`, `unused_tool`: defined and never called. `repeated_result`,
 * `repeated_instructions`: in the context twice or more. `unused_result`: a large result that no later answer or call
 * mentions. `carried_image`: an image in later requests. `tools_changed`: definitions that changed and made the cache
 * miss. `compaction_cost`, `compaction_saved`: what a compaction has cost, and what later requests did not carry.
 */
export type ContextFindingKind =
  | 'unused_server'
  | 'unused_tool'
  | 'repeated_result'
  | 'repeated_instructions'
  | 'unused_result'
  | 'carried_image'
  | 'tools_changed'
  | 'compaction_cost'
  | 'compaction_saved';

export interface ContextFinding {
  readonly kind: ContextFindingKind;
  /** The name of the server, the tool, or the file with instructions. Empty if there is none. */
  readonly name: string;
  readonly server?: string;
  /** A keyed hash of the file or command. */
  readonly file?: string;
  /** In the latest request that carried it. */
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
  /** Number of requests that paid for it. */
  readonly requests: number;
  /** The indexes of these requests in the session, the first and the last. */
  readonly steps: readonly [first: number, last: number];
}

/** A tool that was defined in fewer requests may still be called. */
const MIN_DEFINED = 10;
/** A result or image in fewer further requests may still be needed. */
const MIN_CARRIED = 5;

/**
 * Returns the findings of one session, the most expensive first.
 * @param rows its requests, the oldest first.
 */
export function contextFindings(rows: readonly ContextRow[]): readonly ContextFinding[] {
  const found = [...unusedTools(rows), ...itemFindings(rows), ...changedTools(rows), ...compactions(rows)];
  return found.map((each) => ({ ...each, cost: toDollars(each.cost) })).sort((a, b) => b.cost - a.cost);
}

/** With the cost in billionths of a US dollar. */
type Found = ContextFinding;

interface Carried {
  readonly part: BilledPart;
  readonly cost: number;
  readonly requests: number;
  readonly calls: number;
  readonly steps: readonly [number, number];
  /** Cost in the first request. */
  readonly firstCost: number;
}

/** Adds up parts by a key. Parts without a key are omitted. The part is that of the latest request. */
function carriedBy(rows: readonly ContextRow[], keyOf: (part: BilledPart) => string | undefined): readonly Carried[] {
  const all = new Map<string, Carried>();
  for (const [step, { parts }] of rows.entries()) {
    for (const part of parts) {
      const key = keyOf(part);
      if (key === undefined) continue;
      const { cost = 0, calls = 0 } = part;
      const known = all.get(key) ?? { cost: 0, requests: 0, calls: 0, steps: [step, -1], firstCost: 0 };
      const isFirst = known.steps[1] === -1 || (known.requests === 1 && known.steps[1] === step);
      all.set(key, {
        part: known.steps[1] === step && 'part' in known ? { ...part, tokens: part.tokens + known.part.tokens } : part,
        cost: known.cost + cost,
        requests: known.requests + (known.steps[1] === step ? 0 : 1),
        calls: known.calls + calls,
        steps: [known.steps[0], step],
        firstCost: known.firstCost + (isFirst ? cost : 0),
      });
    }
  }
  return [...all.values()];
}

function unusedTools(rows: readonly ContextRow[]): readonly Found[] {
  const called = new Set(rows.flatMap(({ parts }) => parts.filter(({ calls = 0 }) => calls > 0).map(toolKey)));
  const tools = carriedBy(rows, (part) => (part.kind === 'tools' ? toolKey(part) : undefined));
  const usedServers = new Set(tools.filter(({ part }) => called.has(toolKey(part))).map(({ part }) => part.server));
  const isUnusedServer = ({ server }: ContextPart) => server !== undefined && !usedServers.has(server);
  const servers = carriedBy(rows, (part) => (part.kind === 'tools' && isUnusedServer(part) ? part.server : undefined));
  const single = tools.filter(({ part }) => !called.has(toolKey(part)) && !isUnusedServer(part));
  return [
    ...servers.map((each) => ({ ...foundOf(each), kind: 'unused_server' as const, name: each.part.server ?? '' })),
    ...single.map((each) => ({ ...foundOf(each), kind: 'unused_tool' as const })),
  ].filter(({ requests }) => requests >= MIN_DEFINED);
}

function itemFindings(rows: readonly ContextRow[]): readonly Found[] {
  const repeated = carriedBy(rows, (part) =>
    part.isRepeated === true && part.kind !== 'images' ? partKey({ ...part, item: '' }) : undefined,
  ).map((each): Found => {
    const isFile = each.part.kind === 'instructions';
    return { ...foundOf(each), kind: isFile ? 'repeated_instructions' : 'repeated_result' };
  });
  const items = carriedBy(rows, ({ kind, item, isRepeated, ...part }) =>
    item !== undefined && (kind === 'images' || isRepeated !== true)
      ? `${kind} ${item} ${toolKey({ kind, ...part })}`
      : undefined,
  );
  const carried = items
    .filter(({ part, requests }) => requests > MIN_CARRIED && (part.kind === 'images' || part.isUnused === true))
    .map((each): Found => {
      const isImage = each.part.kind === 'images';
      const rest = { cost: each.cost - each.firstCost, requests: each.requests - 1 };
      return { ...foundOf(each), kind: isImage ? 'carried_image' : 'unused_result', ...rest };
    });
  return [...repeated, ...carried];
}

function foundOf({ part, cost, requests, steps }: Carried): Omit<Found, 'kind'> {
  const { name = '', server, file, tokens } = part;
  return {
    name,
    ...defined({ server, file }),
    ...{ tokens, cost, requests, steps },
  };
}

/** The definitions that came or went in requests whose cache missed because of them. */
function changedTools(rows: readonly ContextRow[]): readonly Found[] {
  const found = new Map<string, Found>();
  const latest = new Map<string | undefined, ReadonlyMap<string, BilledPart>>();
  for (const [step, { agentId, parts, miss }] of rows.entries()) {
    const tools = new Map(parts.filter(({ kind }) => kind === 'tools').map((part) => [toolKey(part), part]));
    const before = latest.get(agentId);
    if (tools.size > 0) latest.set(agentId, tools);
    if (before === undefined || miss?.reason !== 'tools_changed') continue;
    const changed = [...tools, ...before].filter(
      ([key]) => tools.has(key) !== before.has(key) || tools.get(key)?.isChanged === true,
    );
    const names = new Set(changed.map(([, { server, name = '' }]) => server ?? name));
    for (const name of names.size === 0 ? [''] : names) {
      const known = found.get(name);
      found.set(name, {
        kind: 'tools_changed',
        name,
        tokens: 0,
        cost: (known?.cost ?? 0) + Math.round(miss.cost / Math.max(1, names.size)),
        requests: (known?.requests ?? 0) + 1,
        steps: [known?.steps[0] ?? step, step],
      });
    }
  }
  return [...found.values()];
}

/** @param all the requests of the session, of which those of the main agent count. */
function compactions(all: readonly ContextRow[]): readonly Found[] {
  const rows = all.filter(({ agentId }) => agentId === undefined);
  const found: Found[] = [];
  for (const [step, row] of rows.entries()) {
    const before = rows[step - 1];
    if (before === undefined || !isCompacted(before, row)) continue;
    const next = rows.findIndex((each, index) => index > step && isCompacted(rows[index - 1] ?? each, each));
    const later = rows.slice(step + 1, next === -1 ? rows.length : next);
    const removed = before.inputTokens - row.inputTokens;
    const place = { name: '', tokens: removed, steps: [all.indexOf(row), all.indexOf(later.at(-1) ?? row)] as const };
    const saved = later.reduce((sum, { readPrice = 0 }) => sum + Math.round(removed * readPrice), 0);
    const paid = row.parts.reduce((sum, { cost = 0 }) => sum + cost, 0);
    const extra = Math.max(0, paid - Math.round(row.inputTokens * (row.readPrice ?? 0)));
    found.push({ ...place, kind: 'compaction_cost', cost: extra, requests: 1 });
    if (later.length > 0) found.push({ ...place, kind: 'compaction_saved', cost: saved, requests: later.length });
  }
  return found;
}

/** Whether a summary has replaced messages. */
export function isCompacted(before: ContextRow, { parts, inputTokens, miss }: ContextRow): boolean {
  if (inputTokens >= before.inputTokens) return false;
  if (miss?.reason === 'compacted') return true;
  const summary = (all: readonly BilledPart[]) => all.some(({ kind }) => kind === 'summaries');
  return summary(parts) && !summary(before.parts);
}
