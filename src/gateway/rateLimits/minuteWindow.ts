const MINUTE_MS = 60_000;

/** A request that was sent within the last minute. */
export interface CountedRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** An estimate until the answer ends. */
  tokens: number;
}

/** The requests of the last 60 seconds. The window slides, so that no interval of 60 seconds exceeds the limit. */
export class MinuteWindow {
  /** In sending order. */
  #sent: CountedRequest[] = [];

  add(at: number, tokens: number): CountedRequest {
    const sent = { at, tokens };
    this.#sent.push(sent);
    return sent;
  }

  remove(request: CountedRequest): void {
    this.#sent = this.#sent.filter((sent) => sent !== request);
  }

  requests(now: number): number {
    return this.#current(now).length;
  }

  tokens(now: number): number {
    return sumOf(this.#current(now));
  }

  /** @returns milliseconds until another request fits, or 0. */
  msUntilRequest(limit: number, now: number): number {
    const sent = this.#current(now);
    const last = sent[sent.length - limit];
    return last === undefined ? 0 : remaining(last, now);
  }

  /** @returns milliseconds until `tokens` more fit, or 0; at most until the window is empty. */
  msUntilTokens(limit: number, tokens: number, now: number): number {
    const sent = this.#current(now);
    let used = sumOf(sent);
    if (used + tokens <= limit) return 0;
    for (const request of sent) {
      used -= request.tokens;
      if (used + tokens <= limit) return remaining(request, now);
    }
    const last = sent.at(-1);
    return last === undefined ? 0 : remaining(last, now);
  }

  /** Returns when the oldest request leaves the window, and its tokens; `undefined` if there is none. */
  oldest(now: number): { readonly inMs: number; readonly tokens: number } | undefined {
    const [first] = this.#current(now);
    return first && { inMs: remaining(first, now), tokens: first.tokens };
  }

  /** @returns milliseconds until the window is empty if no more requests are sent. */
  msUntilEmpty(now: number): number {
    const last = this.#current(now).at(-1);
    return last === undefined ? 0 : remaining(last, now);
  }

  #current(now: number): readonly CountedRequest[] {
    const isCurrent = ({ at }: CountedRequest) => now - at < MINUTE_MS;
    if (!this.#sent.every(isCurrent)) this.#sent = this.#sent.filter(isCurrent);
    return this.#sent;
  }
}

function remaining({ at }: CountedRequest, now: number): number {
  return at + MINUTE_MS - now;
}

function sumOf(sent: readonly CountedRequest[]): number {
  return sent.reduce((sum, { tokens }) => sum + tokens, 0);
}
