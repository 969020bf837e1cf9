import { createHash } from 'node:crypto';
import { isRecord } from '../../../formats/json.ts';
import { BoundedMap } from '../../../rules/boundedMap.ts';
import type { UpstreamRequest } from '../../core/upstream.ts';
import { parseJsonBody } from '../../http/jsonBody.ts';
import { isHuge } from '../../http/turns.ts';

/** After this time without a request, a session is considered ended and its cache cold. */
const COLD_MS = 5 * 60_000;
const MAX_SESSIONS = 10_000;

/** Where a session was answered last. */
export interface Pin {
  readonly upstream: string;
  readonly model: string;
  /** Index of the rule that chose it. Undefined if none matched. */
  readonly rule: number | undefined;
  readonly usedAt: number;
}

/**
 * Remembers the sessions that are answered by another model than the first one of their route, because every move loses
 * the prompt cache. When the cache has gone cold, they return to the first one.
 */
export class SessionPins {
  readonly #now: () => number;
  readonly #pins = new BoundedMap<string, Pin>(MAX_SESSIONS);

  /** @param now returns milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** If no session was moved, requests need not be assigned to sessions. */
  get isEmpty(): boolean {
    return this.#pins.size === 0;
  }

  /** @param session the key of a {@link Session}. */
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
    this.#pins.set(session, { ...place, usedAt: this.#now() });
  }
}

/** The session that a request belongs to, for one route. */
export interface Session {
  readonly key: string;
  /** Whether the request is the first one of a session without an ID: it contains no output of the model. */
  readonly begins: boolean;
}

/**
 * Returns the request's session on one route. Its key is the client's session ID, or else a digest of what stays the same
 * in a conversation (instructions, tools, and first user message).
 */
export function sessionOf(request: UpstreamRequest, route: string): Session {
  const { session, localKeyId } = request;
  const { ids, requestClass } = session ?? {};
  const { digest, begins } =
    ids === undefined
      ? conversationOf(request)
      : { digest: [ids.sessionId, ids.agentId ?? ''].join(' '), begins: false };
  return { key: JSON.stringify([route, localKeyId, requestClass ?? '', digest]), begins };
}

/** Roles of those who say something before the model does. */
const BEFORE_MODEL: ReadonlySet<unknown> = new Set(['user', 'system', 'developer']);

function conversationOf({ json, body }: UpstreamRequest): { readonly digest: string; readonly begins: boolean } {
  // Whoever parses a long body does so step by step, and has done it before.
  if (json === undefined && body !== undefined && isHuge(body)) return { digest: hash(body), begins: false };
  const value = json ?? (body && parseJsonBody(body));
  const { system, instructions, tools, messages, input } = isRecord(value) ? value : {};
  const elements = Array.isArray(messages) ? messages : Array.isArray(input) ? input : [input];
  const isOfUser = (message: unknown) => !isRecord(message) || message.role === 'user';
  const first = elements.findIndex(isOfUser);
  const start = first === -1 ? elements.slice(0, 1) : elements.slice(0, first + 1);
  return {
    digest: hash(JSON.stringify([system, instructions, tools, start], withoutMarks)),
    begins: elements.every((message) => !isRecord(message) || BEFORE_MODEL.has(message.role)),
  };
}

function hash(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('base64url');
}

const CACHE_MARKS: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint']);

/** Clients move their cache marks with each turn, and turn a marked string into an array with one part. */
function withoutMarks(name: string, value: unknown): unknown {
  if (CACHE_MARKS.has(name)) return undefined;
  const [part, ...others] = Array.isArray(value) && (name === 'content' || name === 'system') ? value : [];
  const isText = others.length === 0 && isRecord(part) && typeof part.text === 'string';
  return isText ? part.text : value;
}
