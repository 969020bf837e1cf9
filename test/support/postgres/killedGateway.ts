import { setTimeout as delay } from 'node:timers/promises';
import { question } from '../../unit/gateway/budgets/limited.ts';
import { type Served, startServed } from '../../unit/gateway/support/served.ts';
import type { ModelServer } from '../modelServer/modelServer.ts';

export interface KilledGatewayOptions {
  /** The built gateway, or its sources. */
  readonly script: string;
  readonly database: string;
  readonly spool: string;
  readonly service: ModelServer;
  /** Secret of a key in the database. */
  readonly key: string;
  /** Number of concurrent callers. */
  readonly callers: number;
}

/**
 * A gateway in a process of its own that is killed and restarted while callers send requests. Each request has a name,
 * which the ledger records as its client and the service finds in its text.
 */
export class KilledGateway {
  readonly #options: KilledGatewayOptions;
  #served: Served;
  #requests = 0;
  #isOver = false;
  /** Number of requests by status; 0 means no answer. */
  readonly answers = new Map<number, number>();

  private constructor(options: KilledGatewayOptions, served: Served) {
    this.#options = options;
    this.#served = served;
  }

  static async start(options: KilledGatewayOptions): Promise<KilledGateway> {
    return new KilledGateway(options, await serve(options));
  }

  /** Kills the gateway this number of times, each time after a random number of further requests. */
  async run(kills: number, random: () => number = Math.random): Promise<void> {
    const callers = Array.from({ length: this.#options.callers }, () => this.#call());
    for (let nth = 0; nth < kills; nth++) {
      await this.#afterRequests(5 + Math.floor(random() * 50));
      this.#served.child.kill('SIGKILL');
      this.#served = await serve(this.#options);
    }
    await this.#afterRequests(20);
    this.#isOver = true;
    await Promise.all(callers);
    await this.#served.stop();
  }

  /** Kills the gateway without a restart once all callers have reached the service. */
  async killWhileAsked(): Promise<void> {
    const callers = Array.from({ length: this.#options.callers }, () => this.#call());
    await this.#afterRequests(this.#options.callers);
    this.#isOver = true;
    this.#served.child.kill('SIGKILL');
    await Promise.all(callers);
  }

  async #call(): Promise<void> {
    while (!this.#isOver) {
      this.#requests += 1;
      const status = await this.#ask(`request-${this.#requests}x`);
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
      // No gateway is running until the next one has started.
      if (status === 0) await delay(20);
    }
  }

  async #ask(name: string): Promise<number> {
    const { key } = this.#options;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': name };
    const body = question('chat-completions', { text: name });
    try {
      const response = await fetch(`${this.#served.address}/chat/completions`, { method: 'POST', headers, body });
      await response.text();
      return response.status;
    } catch {
      return 0;
    }
  }

  async #afterRequests(count: number): Promise<void> {
    const { service } = this.#options;
    const wanted = namesOf(service).length + count;
    while (namesOf(service).length < wanted) await delay(5);
  }
}

function serve({ script, database, spool, service }: KilledGatewayOptions): Promise<Served> {
  const upstream = ['--upstream', `hosted:${service.baseUrl}`];
  return startServed(
    [...upstream, '--database', database, '--spool', spool],
    { MODEL_ACCESS_KEY: 'key_of-the-service' },
    script,
  );
}

/** Returns the names of the requests that reached the service. */
export function namesOf({ requests }: ModelServer): readonly string[] {
  return requests.flatMap(({ text }) => /request-\d+x/.exec(text)?.[0] ?? []);
}
