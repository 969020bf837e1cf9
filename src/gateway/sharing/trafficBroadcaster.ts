import { errorText } from '../../display/errors.ts';
import type { RunningMessage, TrafficCommand, TrafficReply } from '../traffic/protocol.ts';
import { RunningWatch } from '../traffic/runningWatch.ts';
import type { OwnGateway } from './ownGateway.ts';
import { WindowCalls } from './windowCalls.ts';

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
