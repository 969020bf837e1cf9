import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { parseJson } from '../../formats/json.ts';
import type { SessionIds } from '../../ledger/ledgerEntry.ts';
import { type ClientSession, hashSession } from '../../ledger/sessionHash.ts';
import { BoundedMap } from '../../rules/boundedMap.ts';
import { type RequestClass, type RequestSession, SESSION_MEMBERS } from '../core/requestSession.ts';
import type { FindBranch, WindowBranch } from '../core/windowBranches.ts';
import { shortObject } from '../http/jsonBody.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import { WordSearch } from '../http/wordSearch.ts';
import {
  agentType,
  type BodyMembers,
  clientRepository,
  clientSession,
  requestClass,
  SESSION_HEADERS,
  toolMs,
} from './clientSession.ts';

/** Number of subagents whose session is remembered, in case they start subagents of their own. */
const MAX_AGENTS = 1_000;
const KEY_BYTES = 32;
const QUOTED_NAMES = [...SESSION_MEMBERS].map((name) => new WordSearch(`"${name}"`));

export interface SessionRequest {
  readonly headers: IncomingHttpHeaders;
  readonly localKeyId: string;
  /** The mark of the window in whose terminal the client runs. */
  readonly window?: IncomingHttpHeaders[string];
  /** The whole body, or its beginning if the rest has not arrived yet. */
  readonly body: Buffer;
}

export function createSessionKey(): Uint8Array {
  return randomBytes(KEY_BYTES);
}

export class SessionReader {
  readonly #key: Uint8Array;
  readonly #findBranch: FindBranch;
  /** Whether requests get the repository that their client names, or the branch of its terminal's window. */
  recordsRepositories = false;
  /** Sessions by the ID of the subagent. */
  readonly #sessionsOfAgents = new BoundedMap<string, string>(MAX_AGENTS);

  /** @param key for the hashes. A new key changes the IDs of all sessions. */
  constructor(key: Uint8Array, findBranch: FindBranch = () => undefined) {
    this.#key = key;
    this.#findBranch = findBranch;
  }

  /** Does not read the body until the session is asked for. */
  read(request: SessionRequest): RequestSession {
    const hash = (session: ClientSession) => hashSession(this.#key, request.localKeyId, this.#ofRoot(session));
    const isMarked = this.recordsRepositories && request.window !== undefined;
    const branch = isMarked ? this.#findBranch(request.window) : undefined;
    return new ReadSession(request, hash, this.recordsRepositories, branch);
  }

  /**
   * Clients name only the direct parent of a subagent, which may itself be a subagent. Finds the session of the root.
   */
  #ofRoot(named: ClientSession): ClientSession {
    const { agent } = named;
    if (agent === undefined) return named;
    const session = this.#sessionsOfAgents.get(named.session) ?? named.session;
    this.#sessionsOfAgents.set(agent, session);
    return { ...named, session };
  }
}

class ReadSession implements RequestSession {
  readonly #request: SessionRequest;
  readonly #hash: (session: ClientSession) => SessionIds;
  /** Whether the headers must be read. */
  readonly #isDescribed: boolean;
  readonly #recordsRepository: boolean;
  /** Fields, because each exchange reads them. */
  readonly agentType: string | undefined;
  readonly toolMs: number | undefined;
  repository: string | undefined;
  branch: string | undefined;
  #read: { readonly ids: SessionIds | undefined } | undefined;

  /** @param branch the branch of the window in whose terminal the client runs. */
  constructor(
    request: SessionRequest,
    hash: (session: ClientSession) => SessionIds,
    recordsRepository: boolean,
    branch: WindowBranch | undefined,
  ) {
    this.repository = branch?.repository;
    this.branch = branch?.branch;
    this.#recordsRepository = recordsRepository;
    this.#request = request;
    this.#hash = hash;
    this.#isDescribed = isDescribed(request.headers);
    this.agentType = this.#isDescribed ? agentType(request.headers) : undefined;
    this.toolMs = this.#isDescribed ? toolMs(request.headers) : undefined;
  }

  get ids(): SessionIds | undefined {
    this.#read ??= this.#identify(bodyMembers);
    return this.#read.ids;
  }

  /**
   * Does nothing if the session is known. If the body is forwarded while it arrives, only its beginning was searched.
   */
  learn(members: ReadonlyMap<string, string>): void {
    if (this.#read?.ids === undefined) this.#read = this.#identify(() => parsedMembers(members));
  }

  get requestClass(): RequestClass | undefined {
    return this.#isDescribed ? requestClass(this.#request.headers) : undefined;
  }

  /** A client may work in another folder than the window of its terminal. Then nothing says which branch is there. */
  #learnRepository(named: string | undefined): void {
    if (named === undefined || named === this.repository) return;
    this.repository = named;
    this.branch = undefined;
  }

  #identify(readMembers: (body: Buffer) => BodyMembers | undefined): { ids: SessionIds | undefined } {
    const { headers, body } = this.#request;
    if (this.#recordsRepository && this.#isDescribed) this.#learnRepository(clientRepository(headers));
    const members = this.#isDescribed ? undefined : readMembers(body);
    if (!this.#isDescribed && members === undefined) return { ids: undefined };
    const named = clientSession(headers, () => members ?? readMembers(body));
    return { ids: named && this.#hash(named) };
  }
}

function isDescribed(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (SESSION_HEADERS.has(name)) return true;
  return false;
}

/**
 * Returns an object with the members of a body that can identify a session, or `undefined` if it has none. Most long
 * bodies contain none of the names, which a byte search detects in microseconds.
 * @param body may be only the beginning of the body.
 */
export function bodyMembers(body: Buffer): BodyMembers | undefined {
  const whole = shortObject(body);
  if (whole !== undefined) {
    for (const name of SESSION_MEMBERS) if (whole[name] !== undefined) return whole;
    return undefined;
  }
  if (!QUOTED_NAMES.some((name) => name.isIn(body))) return undefined;
  const scanner = new ObjectScanner(SESSION_MEMBERS);
  scanner.push(body);
  return parsedMembers(scanner.values);
}

/** @param values JSON values by member name. A value that was too long to be kept whole is no JSON. */
function parsedMembers(values: ReadonlyMap<string, string>): BodyMembers | undefined {
  if (values.size === 0) return undefined;
  return Object.fromEntries([...values].map(([name, value]) => [name, parseJson(value)]));
}
