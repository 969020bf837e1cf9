interface Pending<Reply> {
  readonly reply: (reply: Reply) => void;
  readonly fail: ((error: Error) => void) | undefined;
}

export interface RpcClientOptions<Request, Reply> {
  /** Sends a request. Its replies are passed to {@link RpcClient.receive} with the same ID. */
  readonly send: (id: number, request: Request) => void;
  /** Whether this is the last reply to its request. Without this function, each request gets a single reply. */
  readonly isLast?: (reply: Reply) => boolean;
}

/** Sends requests over a message channel. Each has a unique ID, which its replies repeat. */
export class RpcClient<Request, Reply> {
  readonly #send: (id: number, request: Request) => void;
  readonly #isLast: (reply: Reply) => boolean;
  readonly #pending = new Map<number, Pending<Reply>>();
  #lastId = 0;

  constructor({ send, isLast = () => true }: RpcClientOptions<Request, Reply>) {
    this.#send = send;
    this.#isLast = isLast;
  }

  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** @throws if the request cannot be sent, or if the other side exits before it replies. */
  call(request: Request): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.stream(request, resolve, reject);
    });
  }

  /**
   * @param fail is called with the reason if the other side exits; no reply follows.
   * @returns the request's ID.
   * @throws if the request cannot be sent.
   */
  stream(request: Request, reply: (reply: Reply) => void, fail?: (error: Error) => void): number {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#pending.set(id, { reply, fail });
    try {
      this.#send(id, request);
    } catch (error) {
      this.#pending.delete(id);
      throw error;
    }
    return id;
  }

  /**
   * Ignores further replies to a request.
   * @returns whether it was still pending.
   */
  cancel(id: number): boolean {
    return this.#pending.delete(id);
  }

  /** Ignores a reply to a request that is not pending. */
  receive(id: number, reply: Reply): void {
    const request = this.#pending.get(id);
    if (this.#isLast(reply)) this.#pending.delete(id);
    request?.reply(reply);
  }

  fail(error: Error): void {
    const requests = [...this.#pending.values()];
    this.#pending.clear();
    for (const { fail } of requests) fail?.(error);
  }
}
