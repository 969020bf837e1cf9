import { randomUUID } from 'node:crypto';
import { Agent, type ClientRequest, createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { errorText } from '../../display/errors.ts';
import { SAMPLE_CLIENT } from '../../display/sessionName.ts';
import type { JsonObject } from '../../formats/json.ts';
import { ENDPOINT_PATHS } from '../../formats/wireFormat.ts';
import type { ExchangePage } from '../../ledger/exchangeQuery.ts';
import type { LedgerQuestion } from '../../ledger/ledgerQuestion.ts';
import type { ReadAnswer } from '../../ledger/ledgerThread.ts';
import { MIN_FAILED_STATUS } from '../../rules/exchange.ts';
import { SAMPLE_STEPS, sampleSession } from '../../sandbox/sampleSession.ts';
import { Bookkeeper } from '../exchanges/bookkeeper.ts';
import { createLocalKeySecret } from '../keys/issuedKey.ts';
import { RequestHandler } from '../server/requestHandler.ts';
import { Sandbox } from '../upstreams/sandbox/sandbox.ts';

export interface SampleOptions {
  /** Path of the ledger's file. */
  readonly ledger: string;
  readonly read: (question: LedgerQuestion) => Promise<ReadAnswer>;
  readonly onEntered: (ids: readonly string[]) => void;
  readonly onProblem: (message: string) => void;
}

let recording: Promise<string> | undefined;

/**
 * Returns the ID of the sample session in the ledger, and records it if the ledger does not have it.
 * @throws if it cannot be recorded.
 */
export function openSampleSession(options: SampleOptions): Promise<string> {
  recording ??= findOrRecord(options).finally(() => {
    recording = undefined;
  });
  return recording;
}

async function findOrRecord(options: SampleOptions): Promise<string> {
  const filter = { localKeyId: SAMPLE_CLIENT, outcome: 'completed' } as const;
  const asks = { ledger: options.ledger, filter, limit: SAMPLE_STEPS };
  const { answer, problem } = await options.read({ name: 'exchanges', asks });
  if (answer === undefined) throw new Error(problem);
  const { rows } = answer as ExchangePage;
  const [sessionId] = new Set(rows.map((row) => row.sessionId));
  const isWhole = rows.filter((row) => row.sessionId === sessionId).length === SAMPLE_STEPS;
  return sessionId !== undefined && isWhole ? sessionId : recordSampleSession(options);
}

/**
 * Sends the session of a sample agent through a gateway of its own, and records it. Its only upstream is a sandbox, and
 * its connections are in memory, so that no port opens and no request can reach a service.
 */
async function recordSampleSession({ ledger, onEntered, onProblem }: SampleOptions): Promise<string> {
  let sessionId: string | undefined;
  const books = new Bookkeeper({
    ledger,
    onEntered,
    onProblem,
    onRecord: (record) => {
      sessionId ??= record.sessionId;
    },
  });
  const secret = createLocalKeySecret();
  const gateway = new RequestHandler({
    localKeys: [{ id: SAMPLE_CLIENT, name: SAMPLE_CLIENT, secret, createdAt: Date.now() }],
    upstream: new Sandbox({ delayMs: 0 }),
    books,
    measuresContext: 'fileNames',
    onError: (error) => onProblem(errorText(error)),
  });
  const client = new SampleClient(gateway, secret);
  try {
    for (const body of sampleSession()) await client.send(body);
  } finally {
    await gateway.exchanges.ended();
    client.close();
    await books.close();
    await gateway.dispose();
  }
  if (sessionId === undefined) throw new Error('The sample session was not recorded.');
  return sessionId;
}

class SampleClient {
  readonly #agent: Agent;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ handle }: RequestHandler, secret: string) {
    this.#agent = new MemoryAgent(createServer(handle));
    this.#headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'user-agent': SAMPLE_CLIENT,
      'anthropic-version': '2023-06-01',
      'x-model-access-session': randomUUID(),
    };
  }

  /** Resolves when the answer was read. */
  async send(body: JsonObject): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const path = `/api/v1${ENDPOINT_PATHS.messages}`;
    const sent = request({ method: 'POST', path, headers: this.#headers, agent: this.#agent });
    sent.on('response', resolve).on('error', reject).end(JSON.stringify(body));
    const answer = await promise;
    const content = await text(answer);
    const { statusCode = MIN_FAILED_STATUS } = answer;
    if (statusCode >= MIN_FAILED_STATUS) throw new Error(`The sandbox answered with status ${statusCode}: ${content}`);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Sends all requests to a server in this process, over one connection that is kept. */
class MemoryAgent extends Agent {
  readonly #server: Server;

  constructor(server: Server) {
    super({ keepAlive: true, maxSockets: 1 });
    this.#server = server;
  }

  override createConnection(): Duplex {
    const [own, other] = duplexPair();
    this.#server.emit('connection', other);
    // Each request adds a listener.
    own.setMaxListeners(0);
    return own;
  }

  /** The connection has no options of a socket. */
  override keepSocketAlive(): boolean {
    return true;
  }

  override reuseSocket(_connection: Duplex, sent: ClientRequest): void {
    sent.reusedSocket = true;
  }
}
