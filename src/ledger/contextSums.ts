import { defined } from '../formats/json.ts';
import { type BilledPart, type ContextKind, type ContextPart, partKey } from '../rules/contextPart.ts';
import type { ContextRow } from './contextRow.ts';
import { toDollars } from './cost.ts';

/** The parts that are the same to a reader: the results of a file are one, however often it was read. */
type ShownPart = Pick<ContextPart, 'kind' | 'name' | 'server' | 'file'>;

export interface ContextPartSums extends ShownPart {
  /** In the latest request of the main agent. 0 if it no longer contains the part. */
  readonly tokens: number;
  /** In all requests. */
  readonly allTokens: number;
  /** Number of requests that carried it. */
  readonly requests: number;
  /** US dollars, for requests with a known price. */
  readonly cost: number;
  /** Calls of the tool. */
  readonly calls: number;
  /** The requests that carried it as runs, by their indexes, both inclusive. */
  readonly steps: readonly (readonly [first: number, last: number])[];
}

export interface ContextSums {
  readonly requests: number;
  readonly inputTokens: number;
  /** US dollars. */
  readonly inputCost: number;
  /** The most expensive first. */
  readonly parts: readonly ContextPartSums[];
}

interface Counted {
  readonly part: ShownPart;
  tokens: number;
  allTokens: number;
  requests: number;
  cost: number;
  readonly steps: [number, number][];
}

/** Adds up the requests of sessions, part by part. Costs are added in billionths of a dollar, so that sums are exact. */
export class ContextAdder {
  readonly #parts = new Map<string, Counted>();
  /** Calls by tool, which belong to its definition, its calls, and its results. */
  readonly #calls = new Map<string, number>();
  readonly #isByFile: boolean;
  #requests = 0;
  #inputTokens = 0;
  #cost = 0;

  /** @param isByFile whether the results of each file or command are a part of their own. */
  constructor(isByFile: boolean) {
    this.#isByFile = isByFile;
  }

  add(row: ContextRow): void {
    const step = this.#requests;
    this.#requests += 1;
    this.#inputTokens += row.inputTokens;
    const isMain = row.agentId === undefined;
    if (isMain) for (const part of this.#parts.values()) part.tokens = 0;
    for (const part of row.parts) this.#addPart(part, step, isMain);
  }

  get sums(): ContextSums {
    return {
      requests: this.#requests,
      inputTokens: this.#inputTokens,
      inputCost: toDollars(this.#cost),
      parts: [...this.#parts.values()].map((each) => this.#sumsOf(each)).sort((a, b) => b.cost - a.cost),
    };
  }

  #addPart(part: BilledPart, step: number, isMain: boolean): void {
    const shown = shownPart(part, this.#isByFile);
    const key = partKey(shown);
    const counted = this.#parts.get(key) ?? { part: shown, tokens: 0, allTokens: 0, requests: 0, cost: 0, steps: [] };
    this.#parts.set(key, counted);
    const last = counted.steps.at(-1);
    if (last?.[1] !== step) {
      counted.requests += 1;
      if (last?.[1] === step - 1) last[1] = step;
      else counted.steps.push([step, step]);
    }
    if (isMain) counted.tokens += part.tokens;
    counted.allTokens += part.tokens;
    counted.cost += part.cost ?? 0;
    this.#cost += part.cost ?? 0;
    if (part.calls !== undefined) this.#calls.set(toolKey(part), (this.#calls.get(toolKey(part)) ?? 0) + part.calls);
  }

  #sumsOf({ part, tokens, allTokens, requests, cost, steps }: Counted): ContextPartSums {
    // Calls are not known by file.
    const calls = OF_TOOLS.has(part.kind) && part.file === undefined ? (this.#calls.get(toolKey(part)) ?? 0) : 0;
    return { ...part, tokens, allTokens, requests, cost: toDollars(cost), calls, steps };
  }
}

const OF_TOOLS: ReadonlySet<ContextKind> = new Set<ContextKind>(['tools', 'calls', 'results']);

function shownPart({ kind, name, server, file }: ContextPart, isByFile: boolean): ShownPart {
  return {
    kind,
    ...defined({ name, server }),
    ...(isByFile && file !== undefined && { file }),
  };
}

export function toolKey({ name = '', server = '' }: ContextPart): string {
  return `${server}\n${name}`;
}

/** What one tool, server, or kind of part has cost in a period. */
export interface ContextLine {
  readonly client: string;
  readonly kind: ContextKind;
  /** An empty string means none, here and below. */
  readonly server: string;
  readonly name: string;
  readonly tokens: number;
  readonly requests: number;
  /** US dollars. */
  readonly cost: number;
  readonly calls: number;
}

type MutableLine = { -readonly [Name in keyof ContextLine]: ContextLine[Name] };

/** Adds up the requests of a period by client and part, without files. */
export class ContextLines {
  readonly #lines = new Map<string, MutableLine>();

  add({ client = '', parts }: ContextRow): void {
    const counted = new Set<MutableLine>();
    for (const { kind, name = '', server = '', tokens, cost = 0, calls = 0 } of parts) {
      const key = `${client}\n${kind}\n${server}\n${name}`;
      const line = this.#lines.get(key) ?? { client, kind, server, name, tokens: 0, requests: 0, cost: 0, calls: 0 };
      this.#lines.set(key, line);
      line.tokens += tokens;
      line.cost += cost;
      line.calls += calls;
      if (!counted.has(line)) line.requests += 1;
      counted.add(line);
    }
  }

  /** The most expensive first. */
  get lines(): readonly ContextLine[] {
    const lines = [...this.#lines.values()].map((line) => ({ ...line, cost: toDollars(line.cost) }));
    return lines.sort((a, b) => b.cost - a.cost);
  }
}
