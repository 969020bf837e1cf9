import type { CancelCallMessage, RunningCall, RunningMessage, TrafficReply } from '../traffic/protocol.ts';
import type { Follower } from './followerLinks.ts';
import type { TrafficSubscription } from './linkProtocol.ts';
import type { OwnerLink } from './ownerLink.ts';
import type { OwnGateway } from './ownGateway.ts';
import { type AskTraffic, TrafficBroadcaster } from './trafficBroadcaster.ts';

const OWNER_GONE = 'The window in which the gateway ran was closed.';

type OwnerEvent = RunningMessage | TrafficReply | CancelCallMessage;

/** What this window, and those that follow it, want to see of the traffic, wherever the gateway runs. */
export class TrafficSubscriptions {
  readonly #post: (message: OwnerEvent) => void;
  readonly #broadcaster: TrafficBroadcaster;
  /** Questions that an owner elsewhere has yet to answer. */
  readonly #asked = new Set<number>();
  #owner: OwnerLink | undefined;
  #isWatching = false;
  /** The editor's own that go on in this window. */
  #calls: readonly RunningCall[] = [];

  constructor(gateway: OwnGateway, post: (message: OwnerEvent) => void) {
    this.#post = post;
    this.#broadcaster = new TrafficBroadcaster(gateway);
  }

  /** The gateway runs elsewhere from now on. */
  follow(owner: OwnerLink): void {
    this.#owner = owner;
    this.#broadcaster.unwatch(this);
    this.#broadcaster.calls.forget(this);
    if (this.#isWatching) owner.send({ type: 'watchTraffic', isOn: true });
    if (this.#calls.length > 0) owner.send({ type: 'reportCalls', calls: this.#calls });
  }

  /** The gateway runs here from now on, or nowhere. */
  stayHere(): void {
    this.#owner = undefined;
    for (const requestId of this.#asked) {
      this.#post({ type: 'trafficAnswer', requestId, answer: { kind: 'problem', problem: OWNER_GONE } });
    }
    this.#asked.clear();
    this.reportCalls(this.#calls);
    if (this.#isWatching) this.#broadcaster.watch(this, this.#post);
  }

  /** What the editor itself asks in this window, for all that watch. */
  reportCalls(calls: readonly RunningCall[]): void {
    this.#calls = calls;
    if (this.#owner !== undefined) this.#owner.send({ type: 'reportCalls', calls });
    else this.#broadcaster.calls.set(this, calls, (id) => this.#post({ type: 'cancelCall', id }));
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

  /** What the owner told this window. */
  onMessage(message: OwnerEvent): void {
    if (message.type === 'trafficAnswer') this.#asked.delete(message.requestId);
    this.#post(message);
  }

  /** A window that follows this one wants to see something, or has something to show. */
  serve(look: TrafficSubscription, follower: Follower): void {
    const send = (message: RunningMessage | TrafficReply) => follower.send(message);
    if (look.type === 'reportCalls') {
      this.#broadcaster.calls.set(follower, look.calls, (id) => follower.send({ type: 'cancelCall', id }));
    } else if (look.type === 'askTraffic') void this.#broadcaster.answer(look, send);
    else if (look.isOn) this.#broadcaster.watch(follower, send);
    else this.#broadcaster.unwatch(follower);
  }

  /** It has left. */
  forget(follower: Follower): void {
    this.#broadcaster.unwatch(follower);
    this.#broadcaster.calls.forget(follower);
  }
}
