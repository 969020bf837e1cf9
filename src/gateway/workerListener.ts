import { Bookkeeper } from './ledger/bookkeeper.ts';
import { Gateway } from './server.ts';
import type { Upstream } from './upstreams/upstream.ts';
import type { SandboxSettings, UpstreamSettings, Upstreams } from './upstreams/upstreams.ts';
import type { ListenCommand, ListenerCommand, WorkerMessage } from './workerProtocol.ts';

/** The gateway of the worker, and the commands about it, one after the other. */
export class WorkerListener {
  readonly #upstreams: Upstreams;
  readonly #post: (message: WorkerMessage) => void;
  #gateway: Gateway | undefined;
  #upstream: Upstream | undefined;
  #books: Bookkeeper | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(upstreams: Upstreams, post: (message: WorkerMessage) => void) {
    this.#upstreams = upstreams;
    this.#post = post;
  }

  /** Resolves when the command is carried out; what fails is posted. */
  run(command: ListenerCommand): Promise<void> {
    this.#last = this.#last.then(() => this.#run(command)).catch((error: unknown) => this.#fail(error));
    return this.#last;
  }

  async #run(command: ListenerCommand): Promise<void> {
    switch (command.type) {
      case 'listen':
        await this.#close(0);
        await this.#listen(command);
        return;
      case 'setLocalKeys':
        this.#gateway?.setLocalKeys(command.localKeys);
        return;
      case 'setUpstream': {
        if (this.#gateway === undefined) return;
        const before = this.#upstream;
        this.#upstream = await this.#open(command.upstream);
        this.#gateway.setUpstream(this.#upstream);
        this.#release(before);
        return;
      }
      case 'close':
        await this.#close(command.graceMs);
        this.#post({ type: 'closed' });
        return;
    }
  }

  async #listen({ port, upstream, sandbox, ledger, ...rules }: ListenCommand): Promise<void> {
    const opened = await this.#open(upstream, sandbox);
    const books = new Bookkeeper({
      ...(ledger !== undefined && { ledger }),
      onRecord: (record) => this.#post({ type: 'exchange', record }),
      onProblem: (message) => this.#post({ type: 'log', level: 'warn', message }),
    });
    const gateway = new Gateway({
      ...rules,
      upstream: opened,
      onExchange: books.enter,
      onError: (error) => this.#post({ type: 'log', level: 'warn', message: describe(error) }),
    });
    try {
      const address = await gateway.listen(port);
      this.#gateway = gateway;
      this.#upstream = opened;
      this.#books = books;
      this.#post({ type: 'listening', ...address });
    } catch (error) {
      this.#release(opened);
      await books.close();
      throw error;
    }
  }

  /** All listeners and keys of the worker are the same person's, and draw on one credit. */
  #open(upstream: UpstreamSettings, sandbox?: SandboxSettings): Promise<Upstream> {
    return this.#upstreams.open(upstream, sandbox);
  }

  async #close(graceMs: number | undefined): Promise<void> {
    const [gateway, upstream, books] = [this.#gateway, this.#upstream, this.#books];
    this.#gateway = undefined;
    this.#upstream = undefined;
    this.#books = undefined;
    await gateway?.close(graceMs);
    await books?.close();
    this.#release(upstream);
  }

  /** Not waited for: an upstream closes when its last request is done. */
  #release(upstream: Upstream | undefined): void {
    if (upstream === undefined) return;
    this.#upstreams.release(upstream).catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    this.#post({
      type: 'failed',
      ...(typeof code === 'string' && { code }),
      message: describe(error),
    });
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
