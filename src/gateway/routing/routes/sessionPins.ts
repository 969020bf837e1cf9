import { createHash } from 'node:crypto';
import { isRecord } from '../../../formats/json.ts';
import type { UpstreamRequest } from '../../core/upstream.ts';
import { parseJsonBody } from '../../http/jsonBody.ts';
import { isHuge } from '../../http/turns.ts';

/** A session is over, and its cache cold, after so long without a request. */
const COLD_MS = 5 * 60_000;
const MAX_SESSIONS = 10_000;

/** Where a session was answered last. */
export interface Pin {
  readonly upstream: string;
  readonly model: string;
  /** The rule that chose it, as its index; absent when none fitted. */
  readonly rule: number | undefined;
  readonly usedAt: number;
}

/**
 * Remembers the sessions that are answered by another model than the first of their route, since every move throws the
 * prompt cache away. They return to the first choice when their cache has gone cold.
 */
export class SessionPins {
  readonly #now: () => number;
  readonly #pins = new Map<string, Pin>();

  /** @param now in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** As long as no session was moved, nobody need know which session a request belongs to. */
  get isEmpty(): boolean {
    return this.#pins.size === 0;
  }

  /** @param session as {@link sessionOf} gives it. */
  find(session: string): Pin | undefined {
    const pin = this.#pins.get(session);
    if (pin === undefined || this.#now() - pin.usedAt <= COLD_MS) return pin;
    this.#pins.delete(session);
    return undefined;
  }

  delete(session: string): void {
    this.#pins.delete(session);
  }

  keep(session: string, place: Omit<Pin, 'usedAt'>): void {
    this.#pins.delete(session);
    this.#pins.set(session, { ...place, usedAt: this.#now() });
    const [oldest] = this.#pins.keys();
    if (this.#pins.size > MAX_SESSIONS && oldest !== undefined) this.#pins.delete(oldest);
  }
}

/**
 * The name of the request's session for one route: the client's own, else a digest of what stays the same in a
 * conversation, which is its instructions, its tools, and the first message of the user.
 */
export function sessionOf(request: UpstreamRequest, route: string): string {
  const { session, localKeyId } = request;
  const { ids, requestClass } = session ?? {};
  const named = ids === undefined ? digestOf(request) : [ids.sessionId, ids.agentId ?? ''].join(' ');
  return JSON.stringify([route, localKeyId, requestClass ?? '', named]);
}

function digestOf({ json, body }: UpstreamRequest): string {
  // Whoever parses a long body does so step by step, and has done it before.
  if (json === undefined && body !== undefined && isHuge(body)) return hash(body);
  const value = json ?? (body && parseJsonBody(body));
  const { system, instructions, tools, messages, input } = isRecord(value) ? value : {};
  const said = Array.isArray(messages) ? messages : Array.isArray(input) ? input : [input];
  const isOfUser = (message: unknown) => !isRecord(message) || message.role === 'user';
  const first = said.findIndex(isOfUser);
  const start = first === -1 ? said.slice(0, 1) : said.slice(0, first + 1);
  return hash(JSON.stringify([system, instructions, tools, start], withoutMarks));
}

function hash(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url');
}

const CACHE_MARKS: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint']);

/** Clients move their cache marks with each turn, and write a text that they mark as a part. */
function withoutMarks(name: string, value: unknown): unknown {
  if (CACHE_MARKS.has(name)) return undefined;
  const [part, ...others] = Array.isArray(value) && (name === 'content' || name === 'system') ? value : [];
  const isText = others.length === 0 && isRecord(part) && typeof part.text === 'string';
  return isText ? part.text : value;
}
