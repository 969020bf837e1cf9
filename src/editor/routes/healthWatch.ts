import { errorText } from '../../display/errors.ts';
import type { HealthProblem } from '../../gateway/core/healthProblem.ts';
import type { GatewayController } from '../gateway/gatewayController.ts';
import type { Log } from '../log/log.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

/** Requests that end shortly after each other are followed by one question to the gateway. In milliseconds. */
const DELAY_MS = 200;
/** How often the gateway is asked while there are problems, in milliseconds: no event reports their end. */
const RENEWAL_MS = 2_000;

export interface HealthServices {
  readonly worker: Pick<GatewayWorker, 'rpc' | 'onDidExchange'>;
  readonly gateway: Pick<GatewayController, 'isRunning' | 'onDidChange'>;
  readonly log: Log;
}

/** Follows which upstreams and models the gateway avoids, while somebody looks. */
export class HealthWatch {
  readonly #services: HealthServices;
  readonly #isWatched: () => boolean;
  readonly #onDidRead: (problems: readonly HealthProblem[]) => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param isWatched returns whether somebody looks. */
  constructor(
    services: HealthServices,
    isWatched: () => boolean,
    onDidRead: (problems: readonly HealthProblem[]) => void,
  ) {
    this.#services = services;
    this.#isWatched = isWatched;
    this.#onDidRead = onDidRead;
    services.worker.onDidExchange(() => this.#schedule(DELAY_MS));
    services.gateway.onDidChange(() => this.#schedule(DELAY_MS));
  }

  /** Asks the gateway, if it runs. */
  async read(): Promise<void> {
    const problems = await this.#problems();
    this.#onDidRead(problems);
    if (problems.length > 0) this.#schedule(RENEWAL_MS);
  }

  #schedule(ms: number): void {
    if (!this.#isWatched()) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isWatched()) void this.read();
    }, ms);
  }

  async #problems(): Promise<readonly HealthProblem[]> {
    const { worker, gateway, log } = this.#services;
    if (!gateway.isRunning) return [];
    try {
      return await worker.rpc.askTraffic({ kind: 'health' });
    } catch (error) {
      log.warn(`The health of the upstreams could not be read. ${errorText(error)}`);
      return [];
    }
  }
}
