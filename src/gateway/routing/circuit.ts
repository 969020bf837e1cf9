/** After this many consecutive failures, the upstream is considered unavailable. */
const FAILURES_TO_OPEN = 3;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;

/** Resolves with whether the upstream answers. */
type CircuitProbe = () => Promise<boolean>;

/**
 * A circuit breaker. While it is open, requests go to other upstreams first, and the upstream is probed with growing
 * pauses until it answers.
 */
export class Circuit {
  readonly #probes = new Set<CircuitProbe>();
  #failures = 0;
  /** When the first of the failures in a row was. */
  #failingSince = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | undefined;

  get isOpen(): boolean {
    return this.#timer !== undefined;
  }

  /** In milliseconds since the epoch. Undefined unless the circuit is open. */
  get failingSince(): number | undefined {
    return this.isOpen ? this.#failingSince : undefined;
  }

  /** Whether it has failed since its last success. */
  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#close();
  }

  failed(): void {
    if (this.#failures === 0) this.#failingSince = Date.now();
    this.#failures += 1;
    if (this.#failures >= FAILURES_TO_OPEN && !this.isOpen) this.#wait();
  }

  /** Adds a way to probe the upstream. Several routers can use the same one while they replace each other. */
  attach(probe: CircuitProbe): void {
    this.#probes.add(probe);
  }

  /** Stops probing when no router uses the upstream anymore. */
  release(probe: CircuitProbe): void {
    this.#probes.delete(probe);
    if (this.#probes.size === 0) this.#close();
  }

  #wait(): void {
    this.#timer = setTimeout(this.#ask, this.#pauseMs).unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
  }

  readonly #ask = async (): Promise<void> => {
    const asked = this.#timer;
    const probe = [...this.#probes].at(-1);
    const isAlive = await probe?.();
    if (this.#timer !== asked) return;
    if (isAlive) this.#close();
    else this.#wait();
  };

  /**
   * Keeps the count of failures after a successful probe, so that the next failure opens the circuit again: a request
   * demands more of the upstream than a probe.
   */
  #close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
