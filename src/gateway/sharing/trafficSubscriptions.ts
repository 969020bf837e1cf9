import { errorText } from '../../display/errors.ts';
import type { WindowBranches } from '../core/windowBranches.ts';
import type {
  BranchMessage,
  CancelCallMessage,
  RunningCall,
  RunningMessage,
  TrafficCommand,
  TrafficReply,
} from '../traffic/protocol.ts';
import type { Follower } from './followerLinks.ts';
import type { TrafficSubscription } from './linkProtocol.ts';
import type { OwnerLink } from './ownerLink.ts';
import type { OwnGateway } from './ownGateway.ts';

const OWNER_GONE = 'The window in which the gateway ran was closed.';
/** How often a list on screen is updated. Between two updates, exchanges cause no work. */
const LOOK_MS = 200;

type TrafficEvent = RunningMessage | TrafficReply | CancelCallMessage;

/** The traffic subscriptions and reports of this window and its followers, wherever the gateway runs. */
export class TrafficSubscriptions {
  readonly #post: (message: TrafficEvent) => void;
  readonly #broadcaster: TrafficBroadcaster;
  readonly #branches: WindowBranches;
  /** IDs of queries that an owner in another window has not answered yet. */
  readonly #asked = new Set<number>();
  #owner: OwnerLink | undefined;
  #isWatching = false;
  /** This window's own running requests. */
  #calls: readonly RunningCall[] = [];
  /** What this window has reported about its branch. */
  #branch: BranchMessage | undefined;

  constructor(gateway: OwnGateway, post: (message: TrafficEvent) => void) {
    this.#post = post;
    this.#branches = gateway.branches;
    this.#broadcaster = new TrafficBroadcaster(gateway);
  }

  /** Called when the gateway runs in another window from now on. */
  follow(owner: OwnerLink): void {
    this.#refuseAsked();
    this.#owner = owner;
    this.#broadcaster.unwatch(this);
    this.#broadcaster.calls.forget(this);
    this.#branches.forget(this);
    if (this.#branch !== undefined) owner.send(this.#branch);
    if (this.#isWatching) owner.send({ type: 'watchTraffic', isOn: true });
    if (this.#calls.length > 0) owner.send({ type: 'reportCalls', calls: this.#calls });
  }

  /** Called when the gateway runs in this window from now on, or not at all. */
  stayHere(): void {
    this.#refuseAsked();
    this.#owner = undefined;
    this.reportCalls(this.#calls);
    if (this.#branch !== undefined) this.reportBranch(this.#branch);
    if (this.#isWatching) this.#broadcaster.watch(this, this.#post);
  }

  /** Reports the running requests that this window's editor has sent itself to all subscribers. */
  reportCalls(calls: readonly RunningCall[]): void {
    this.#calls = calls;
    if (this.#owner !== undefined) this.#owner.send({ type: 'reportCalls', calls });
    else this.#broadcaster.calls.set(this, calls, (id) => this.#post({ type: 'cancelCall', id }));
  }

  /** Reports what this window works on, for the requests of its terminals. */
  reportBranch(report: BranchMessage): void {
    this.#branch = report;
    if (this.#owner !== undefined) this.#owner.send(report);
    else this.#branches.set(this, report);
  }

  watch(isOn: boolean): void {
    this.#isWatching = isOn;
    if (this.#owner !== undefined) this.#owner.send({ type: 'watchTraffic', isOn });
    else if (isOn) this.#broadcaster.watch(this, this.#post);
    else this.#broadcaster.unwatch(this);
  }

  ask(command: AskTraffic): void {
    if (this.#owner === undefined) {
      void this.#broadcaster.answer(command, this.#post);
      return;
    }
    this.#asked.add(command.requestId);
    this.#owner.send(command);
  }

  /** Handles a message from the owner to this window. */
  onMessage(message: TrafficEvent): void {
    if (message.type === 'trafficAnswer') this.#asked.delete(message.requestId);
    this.#post(message);
  }

  /** Handles a subscription, a query, or a report of a window that follows this one. */
  serve(look: TrafficSubscription, follower: Follower): void {
    const send = (message: RunningMessage | TrafficReply) => follower.send(message);
    if (look.type === 'reportCalls') {
      this.#broadcaster.calls.set(follower, look.calls, (id) => follower.send({ type: 'cancelCall', id }));
    } else if (look.type === 'reportBranch') this.#branches.set(follower, look);
    else if (look.type === 'askTraffic') void this.#broadcaster.answer(look, send);
    else if (look.isOn) this.#broadcaster.watch(follower, send);
    else this.#broadcaster.unwatch(follower);
  }

  /** Answers the queries that the previous owner can no longer answer. */
  #refuseAsked(): void {
    for (const requestId of this.#asked) {
      this.#post({ type: 'trafficAnswer', requestId, answer: { kind: 'problem', problem: OWNER_GONE } });
    }
    this.#asked.clear();
  }

  /** Called when a follower has left. */
  forget(follower: Follower): void {
    this.#broadcaster.unwatch(follower);
    this.#broadcaster.calls.forget(follower);
    this.#branches.forget(follower);
  }
}

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

type AskTraffic = Extract<TrafficCommand, { readonly type: 'askTraffic' }>;

type Subscriber = (message: RunningMessage | TrafficReply) => void;

/** Runs where the gateway runs, and sends its running exchanges to all subscribed windows. */
class TrafficBroadcaster {
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
