import type { WindowBranches } from '../core/windowBranches.ts';
import type {
  BranchMessage,
  CancelCallMessage,
  RunningCall,
  RunningMessage,
  TrafficReply,
} from '../traffic/protocol.ts';
import type { Follower } from './followerLinks.ts';
import type { TrafficSubscription } from './linkProtocol.ts';
import type { OwnerLink } from './ownerLink.ts';
import type { OwnGateway } from './ownGateway.ts';
import { type AskTraffic, TrafficBroadcaster } from './trafficBroadcaster.ts';

const OWNER_GONE = 'The window in which the gateway ran was closed.';

type OwnerEvent = RunningMessage | TrafficReply | CancelCallMessage;

/** The traffic subscriptions and reports of this window and its followers, wherever the gateway runs. */
export class TrafficSubscriptions {
  readonly #post: (message: OwnerEvent) => void;
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

  constructor(gateway: OwnGateway, post: (message: OwnerEvent) => void) {
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
  onMessage(message: OwnerEvent): void {
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
