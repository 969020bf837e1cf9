import { randomBytes } from 'node:crypto';
import { type SecretPolicy, stricter } from '../../rules/secretPolicy.ts';
import { kindsOf, type SealAnswer } from '../../secrets/sealAnswer.ts';
import type { KnownSecret } from '../../secrets/secretTable.ts';
import { StandInTable } from '../../secrets/standInTable.ts';
import { FORM_ENDPOINTS, formFields, isForm } from '../core/passedEndpoint.ts';
import type { Refusal } from '../core/refusal.ts';
import { offersOf, type Upstream, type UpstreamRequest } from '../core/upstream.ts';
import { KeptSecrets } from './keptSecrets.ts';
import { SearchThread } from './searchThread.ts';
import { SecretWatch } from './secretWatch.ts';

export interface SecretGuardOptions {
  /** A secret of this installation, from which stand-ins are made. */
  readonly key: Uint8Array | undefined;
  readonly policy: SecretPolicy;
  /** Called with the reason why a request could not be searched. */
  readonly onProblem: (error: unknown) => void;
}

type WholeRequest = UpstreamRequest & { readonly body: Buffer };

/** A request whose secrets were replaced. */
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

  /** Replaces the secrets in a request. */
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
