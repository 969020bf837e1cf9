import { errorText } from '../../display/errors.ts';
import type { RunningCall, RunningMessage, TrafficCommand, TrafficReply } from '../traffic/protocol.ts';
import type { OwnGateway } from './ownGateway.ts';

/** How often a list on screen is updated. Between two updates, exchanges cause no work. */
const LOOK_MS = 200;

/** Reports what is running, repeatedly while something is. Works by polling, so that exchanges are not slowed down. */
class RunningWatch {
  readonly #list: () => RunningMessage;
  readonly #report: (running: RunningMessage) => void;
  #timer: NodeJS.Timeout | undefined;
  #wasEmpty = false;

  constructor(list: () => RunningMessage, report: (running: RunningMessage) => void) {
    this.#list = list;
    this.#report = report;
  }

  /** Reports immediately, even if the watch was already on, because there is a new subscriber. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    this.#wasEmpty = false;
    this.#look();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const running = this.#list();
    const isEmpty = running.exchanges.length === 0 && running.calls.length === 0;
    if (isEmpty && this.#wasEmpty) return;
    this.#wasEmpty = isEmpty;
    this.#report(running);
  }
}

interface TellingWindow {
  readonly calls: readonly RunningCall[];
  readonly cancel: (id: string) => void;
}

/** The editors' own running requests in all windows that share a gateway, by an object that identifies each window. */
class WindowCalls {
  readonly #windows = new Map<object, TellingWindow>();

  get all(): readonly RunningCall[] {
    return [...this.#windows.values()].flatMap(({ calls }) => calls);
  }

  /** @param calls all running requests of the window. */
  set(window: object, calls: readonly RunningCall[], cancel: (id: string) => void): void {
    if (calls.length === 0) this.forget(window);
    else this.#windows.set(window, { calls, cancel });
  }

  forget(window: object): void {
    this.#windows.delete(window);
  }

  /** @returns whether the request exists. */
  cancel(id: string): boolean {
    const window = [...this.#windows.values()].find(({ calls }) => calls.some((call) => call.id === id));
    window?.cancel(id);
    return window !== undefined;
  }
}

export type AskTraffic = Extract<TrafficCommand, { readonly type: 'askTraffic' }>;

type Subscriber = (message: RunningMessage | TrafficReply) => void;

/** Runs where the gateway runs, and sends its running exchanges to all subscribed windows. */
export class TrafficBroadcaster {
  readonly #gateway: OwnGateway;
  readonly #watch: RunningWatch;
  /** The editors' own running requests, of this window and its followers. */
  readonly calls = new WindowCalls();
  /** Subscribers by an object that identifies each. */
  readonly #watchers = new Map<object, Subscriber>();

  constructor(gateway: OwnGateway) {
    this.#gateway = gateway;
    this.#watch = new RunningWatch(
      () => ({ type: 'running', exchanges: gateway.running, calls: this.calls.all }),
      (running) => {
        for (const send of this.#watchers.values()) send(running);
      },
    );
  }

  watch(who: object, send: Subscriber): void {
    this.#watchers.set(who, send);
    this.#watch.start();
  }

  unwatch(who: object): void {
    this.#watchers.delete(who);
    if (this.#watchers.size === 0) this.#watch.stop();
  }

  /** Always sends an answer, which can be a problem. */
  async answer({ requestId, question }: AskTraffic, send: Subscriber): Promise<void> {
    if (question.kind === 'cancel' && this.calls.cancel(question.id)) {
      send({ type: 'trafficAnswer', requestId, answer: { kind: 'done' } });
      return;
    }
    try {
      send({ type: 'trafficAnswer', requestId, answer: await this.#gateway.answer(question) });
    } catch (error) {
      const problem = errorText(error);
      send({ type: 'trafficAnswer', requestId, answer: { kind: 'problem', problem } });
    }
  }
}
