import { randomBytes } from 'node:crypto';
import { BoundedMap } from '../../rules/boundedMap.ts';
import { type SecretPolicy, stricter } from '../../rules/secretPolicy.ts';
import { kindsOf, type SealAnswer } from '../../secrets/sealAnswer.ts';
import type { KnownSecret } from '../../secrets/secretTable.ts';
import { StandInTable } from '../../secrets/standInTable.ts';
import type { WholeRequest } from '../core/compressedBody.ts';
import { FORM_ENDPOINTS, formFields, isForm } from '../core/passedEndpoint.ts';
import type { Refusal } from '../core/refusal.ts';
import { offersOf, type Upstream } from '../core/upstream.ts';
import { SearchThread } from './searchThread.ts';

/** Longer bodies are not searched. */
const MAX_SEARCHED_BYTES = 8 * 1024 * 1024;
/** Total size of the bodies waiting to be searched. Bodies beyond this limit are not searched. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
const MAX_KEYS = 500;
const MAX_OF_KEY = 2_000;

export interface SecretGuardOptions {
  /** A secret of this installation, from which stand-ins are made. */
  readonly key: Uint8Array | undefined;
  readonly policy: SecretPolicy;
  /** Called with the reason why a request could not be searched. */
  readonly onProblem: (error: unknown) => void;
}

export interface SealedRequest {
  /** The given one if it has no secrets. */
  readonly request: WholeRequest;
  /** How many secrets were replaced, each counted once. */
  readonly count: number;
  readonly kinds: readonly string[];
  /** Restores them in the answer. */
  readonly table: StandInTable;
  readonly isStructured: boolean;
}

/** The requests that continue what a service has kept name it in one of these members. */
const KEPT_CONVERSATION = ['"previous_response_id"', '"conversation"', '"item_reference"', '"compaction'];
const STRICT: ReadonlySet<SecretPolicy | undefined> = new Set(['seal', 'refuse']);

/** Decides what happens to the secrets in requests, and replaces them. */
export class SecretGuard {
  readonly watch: SecretWatch;
  /** Whether requests may have to be searched, whatever their keys demand. */
  isOn = false;
  /** Values that the user names, which are secrets wherever they are. */
  known: readonly KnownSecret[] = [];
  readonly #thread = new SearchThread();
  readonly #key: Uint8Array;
  readonly #kept = new KeptSecrets();
  readonly #onProblem: (error: unknown) => void;
  #policy: SecretPolicy;
  #upstreams: SecretPolicy | undefined;

  constructor({ key = randomBytes(32), policy, onProblem }: SecretGuardOptions) {
    this.#key = key;
    this.#policy = policy;
    this.#onProblem = onProblem;
    this.watch = new SecretWatch(this.#thread, onProblem);
    this.#update();
  }

  /** The policy of requests whose key and upstream have none. Applies to later requests. */
  setPolicy(policy: SecretPolicy): void {
    this.#policy = policy;
    this.#update();
  }

  /** Must be called with the upstream of later requests. */
  setUpstream({ secretPolicy }: Upstream): void {
    this.#upstreams = secretPolicy;
    this.#update();
  }

  #update(): void {
    this.isOn = this.#policy !== 'off' || this.#upstreams !== undefined;
  }

  /** Whether requests of a key with this policy may have to be searched before they are sent. */
  mayHold(ofKey: SecretPolicy | undefined): boolean {
    return STRICT.has(ofKey) || STRICT.has(this.#policy) || STRICT.has(this.#upstreams);
  }

  /**
   * Returns the strictest policy of the upstreams to which a request for the model may be sent. An upstream on this
   * machine gets secrets, unless its settings say something else.
   */
  policyFor(ofKey: SecretPolicy | undefined, upstream: Upstream, model: string | undefined): SecretPolicy {
    const asked = ofKey ?? this.#policy;
    const offers = model === undefined ? [] : offersOf(upstream, model);
    const upstreams = offers.length === 0 ? [upstream] : offers.map(({ member }) => member.upstream);
    return upstreams.map((each) => policyOf(each, asked)).reduce(stricter, 'off');
  }

  async seal(request: WholeRequest, policy: 'seal' | 'refuse'): Promise<SealedRequest | Refusal> {
    const { endpoint, headers, body, localKeyId } = request;
    const asForm = FORM_ENDPOINTS.has(endpoint) && isForm(headers);
    const fields = asForm ? formFields(body, headers) : undefined;
    if (asForm && fields === undefined) return CANNOT_READ;
    const continues = endpoint.startsWith('/responses') && KEPT_CONVERSATION.some((member) => body.includes(member));
    const kept = continues ? this.#kept.of(localKeyId) : { texts: [], secrets: [] };
    const known = [...this.known, ...kept.secrets];
    let answer: SealAnswer | undefined;
    try {
      answer = await this.#thread.seal({ body, key: this.#key, known, fields });
    } catch (error) {
      this.#onProblem(new Error('A request could not be searched for secrets.', { cause: error }));
      return CANNOT_SEARCH;
    }
    if (answer === undefined) return CANNOT_READ;
    const { texts, secrets, isStructured } = answer;
    const kinds = kindsOf(secrets);
    if (policy === 'refuse' && secrets.length > 0) return hasSecrets(kinds);
    if (endpoint.startsWith('/responses')) this.#kept.add(localKeyId, texts, secrets);
    const table = new StandInTable([...kept.texts, ...texts]);
    const sealed =
      answer.body === undefined ? request : { ...request, body: Buffer.from(answer.body.buffer as ArrayBuffer) };
    return { request: { ...sealed, standIns: table }, count: secrets.length, kinds, table, isStructured };
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

function policyOf({ secretPolicy, isOnThisMachine = false }: Upstream, asked: SecretPolicy): SecretPolicy {
  if (secretPolicy === 'off') return 'off';
  if (secretPolicy !== undefined) return stricter(secretPolicy, asked);
  return isOnThisMachine && STRICT.has(asked) ? 'off' : asked;
}

/** Sending the same request again does not help. */
const FINAL = { 'x-should-retry': 'false' };

/** @param kinds of the secrets that were found. */
function hasSecrets(kinds: readonly string[]): Refusal {
  const message = `The request contains secrets (${kinds.join(', ')}), and requests with secrets are refused. Nothing was sent. Remove them, or have them replaced with the policy "seal".`;
  return { error: { kind: 'invalidRequest', status: 400, code: 'secrets_found', message }, headers: FINAL };
}

const CANNOT_READ: Refusal = {
  error: {
    kind: 'invalidRequest',
    status: 400,
    code: 'secrets_unreadable',
    message:
      'The body cannot be searched for secrets, so it was not sent. Send it as JSON in UTF-8, uncompressed or with gzip, deflate, br, or zstd.',
  },
  headers: FINAL,
};

const CANNOT_SEARCH: Refusal = {
  error: {
    kind: 'server',
    status: 500,
    message: 'The search for secrets failed, so the request was not sent. See the log of the gateway for details.',
  },
};

type Texts = readonly (readonly [standIn: string, text: string])[];

interface OfKey {
  readonly texts: BoundedMap<string, string>;
  readonly secrets: BoundedMap<string, KnownSecret>;
}

/**
 * The secrets of earlier requests, by local key, in memory. Needed for conversations that a service keeps: their later
 * requests do not repeat the earlier ones, but their answers can.
 */
class KeptSecrets {
  readonly #keys = new BoundedMap<string, OfKey>(MAX_KEYS);

  add(localKeyId: string, texts: Texts, secrets: readonly KnownSecret[]): void {
    const none: OfKey = { texts: new BoundedMap(MAX_OF_KEY), secrets: new BoundedMap(MAX_OF_KEY) };
    const kept = this.#keys.get(localKeyId) ?? none;
    this.#keys.set(localKeyId, kept);
    for (const [standIn, text] of texts) kept.texts.set(standIn, text);
    for (const secret of secrets) kept.secrets.set(secret.value, secret);
  }

  of(localKeyId: string): { readonly texts: Iterable<Texts[number]>; readonly secrets: Iterable<KnownSecret> } {
    const kept = this.#keys.get(localKeyId);
    return { texts: kept?.texts ?? [], secrets: kept?.secrets.values() ?? [] };
  }
}

type SecretKinds = readonly string[];

/**
 * Searches requests for secrets after they were sent, one after the other. Reports only the kinds of secrets, never
 * their values.
 */
class SecretWatch {
  readonly #thread: SearchThread;
  /** Whether a request whose exchange has not ended was given to be searched. */
  isSearching = false;
  readonly #onProblem: (error: unknown) => void;
  readonly #searches = new Map<string, Promise<SecretKinds>>();
  #last: Promise<unknown> = Promise.resolve();
  #waitingBytes = 0;

  /** @param onProblem called with the reason why a request could not be searched. */
  constructor(thread: SearchThread, onProblem: (error: unknown) => void) {
    this.#thread = thread;
    this.#onProblem = onProblem;
  }

  /** Whether a body of this length would be searched now. */
  takes(length: number): boolean {
    return length <= MAX_SEARCHED_BYTES && this.#waitingBytes + length <= MAX_WAITING_BYTES;
  }

  /** Called when the request of an exchange has been sent to its upstream. */
  sent(exchangeId: string, body: Uint8Array): void {
    if (!this.takes(body.length)) return;
    this.#waitingBytes += body.length;
    const search = this.#last.then(() => this.#search(body));
    this.#last = search;
    this.#searches.set(exchangeId, search);
    this.isSearching = true;
  }

  /**
   * Called when the exchange has ended.
   * @returns the kinds that were found, once the search is done; `undefined` if the request is not searched. Never
   *   rejects.
   */
  ended(exchangeId: string): Promise<SecretKinds> | undefined {
    const search = this.#searches.get(exchangeId);
    this.#searches.delete(exchangeId);
    this.isSearching = this.#searches.size > 0;
    return search;
  }

  async #search(body: Uint8Array): Promise<SecretKinds> {
    try {
      return await this.#thread.kindsIn(body);
    } catch (error) {
      this.#onProblem(new Error('A request could not be searched for secrets.', { cause: error }));
      return [];
    } finally {
      this.#waitingBytes -= body.length;
    }
  }
}
