import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestClass, RequestSession, SessionIds } from '../core/requestSession.ts';
import { type ClientSession, hashSession } from '../core/sessionHash.ts';
import { bodyMembers, parsedMembers } from './bodyMembers.ts';
import { agentType, type BodyMembers, clientSession, requestClass } from './clientSession.ts';

/** Subagents whose session is remembered, for the case that they start subagents of their own. */
const MAX_AGENTS = 1_000;
const KEY_BYTES = 32;

/** What is known of a request when its session is read. */
export interface SessionRequest {
  readonly headers: IncomingHttpHeaders;
  readonly localKeyId: string;
  /** The whole body, or its beginning if the rest is still on its way. */
  readonly body: Uint8Array;
}

export function createSessionKey(): Uint8Array {
  return randomBytes(KEY_BYTES);
}

/** Finds out which session each request belongs to. */
export class SessionReader {
  readonly #key: Uint8Array;
  /** The sessions of subagents, the oldest first. */
  readonly #sessionsOfAgents = new Map<string, string>();

  /** @param key for the hashes. With a new one, sessions have other ids. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Costs nothing until one of the members is read. */
  read(request: SessionRequest): RequestSession {
    return new ReadSession(request, (session) => hashSession(this.#key, request.localKeyId, this.#ofRoot(session)));
  }

  /** A client that names only a subagent's parent does not say that the parent is a subagent, too. */
  #ofRoot(named: ClientSession): ClientSession {
    const { agent } = named;
    if (agent === undefined) return named;
    const session = this.#sessionsOfAgents.get(named.session) ?? named.session;
    this.#sessionsOfAgents.delete(agent);
    this.#sessionsOfAgents.set(agent, session);
    const [oldest] = this.#sessionsOfAgents.keys();
    if (this.#sessionsOfAgents.size > MAX_AGENTS && oldest !== undefined) this.#sessionsOfAgents.delete(oldest);
    return { ...named, session };
  }
}

class ReadSession implements RequestSession {
  readonly #request: SessionRequest;
  readonly #hash: (session: ClientSession) => SessionIds;
  #read: { readonly ids: SessionIds | undefined } | undefined;

  constructor(request: SessionRequest, hash: (session: ClientSession) => SessionIds) {
    this.#request = request;
    this.#hash = hash;
  }

  get ids(): SessionIds | undefined {
    this.#read ??= this.#identify(() => bodyMembers(this.#request.body));
    return this.#read.ids;
  }

  /** Changes nothing where the session is known: of a body that passes on as it comes, only the beginning was searched. */
  learn(members: ReadonlyMap<string, string>): void {
    if (this.#read?.ids === undefined) this.#read = this.#identify(() => parsedMembers(members));
  }

  get requestClass(): RequestClass | undefined {
    return requestClass(this.#request.headers);
  }

  get agentType(): string | undefined {
    return agentType(this.#request.headers);
  }

  #identify(readMembers: () => BodyMembers | undefined): { ids: SessionIds | undefined } {
    const named = clientSession(this.#request.headers, readMembers);
    return { ids: named && this.#hash(named) };
  }
}
