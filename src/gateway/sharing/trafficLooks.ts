import type { CancelCallMessage, RunningCall, RunningMessage, TrafficReply } from '../traffic/protocol.ts';
import type { Follower } from './followerLinks.ts';
import type { FollowerLook } from './linkProtocol.ts';
import type { OwnerLink } from './ownerLink.ts';
import type { OwnGateway } from './ownGateway.ts';
import { type AskTraffic, TrafficOffice } from './trafficOffice.ts';

const OWNER_GONE = 'The window in which the gateway ran was closed.';

type Tidings = RunningMessage | TrafficReply | CancelCallMessage;

/** What this window, and those that follow it, want to see of the traffic, wherever the gateway runs. */
export class TrafficLooks {
  readonly #post: (message: Tidings) => void;
  readonly #office: TrafficOffice;
  /** Questions that an owner elsewhere has yet to answer. */
  readonly #asked = new Set<number>();
  #owner: OwnerLink | undefined;
  #isWatching = false;
  /** The editor's own that go on in this window. */
  #calls: readonly RunningCall[] = [];

  constructor(gateway: OwnGateway, post: (message: Tidings) => void) {
    this.#post = post;
    this.#office = new TrafficOffice(gateway);
  }

  /** The gateway runs elsewhere from now on. */
  follow(owner: OwnerLink): void {
    this.#owner = owner;
    this.#office.unwatch(this);
    this.#office.calls.forget(this);
    if (this.#isWatching) owner.send({ type: 'watchTraffic', isOn: true });
    if (this.#calls.length > 0) owner.send({ type: 'tellCalls', calls: this.#calls });
  }

  /** The gateway runs here from now on, or nowhere. */
  stayHere(): void {
    this.#owner = undefined;
    for (const requestId of this.#asked) {
      this.#post({ type: 'trafficAnswer', requestId, answer: { kind: 'problem', problem: OWNER_GONE } });
    }
    this.#asked.clear();
    this.tellCalls(this.#calls);
    if (this.#isWatching) this.#office.watch(this, this.#post);
  }

  /** What the editor itself asks in this window, for all that watch. */
  tellCalls(calls: readonly RunningCall[]): void {
    this.#calls = calls;
    if (this.#owner !== undefined) this.#owner.send({ type: 'tellCalls', calls });
    else this.#office.calls.set(this, calls, (id) => this.#post({ type: 'cancelCall', id }));
  }

  watch(isOn: boolean): void {
    this.#isWatching = isOn;
    if (this.#owner !== undefined) this.#owner.send({ type: 'watchTraffic', isOn });
    else if (isOn) this.#office.watch(this, this.#post);
    else this.#office.unwatch(this);
  }

  ask(command: AskTraffic): void {
    if (this.#owner === undefined) {
      void this.#office.answer(command, this.#post);
      return;
    }
    this.#asked.add(command.requestId);
    this.#owner.send(command);
  }

  /** What the owner told this window. */
  hear(message: Tidings): void {
    if (message.type === 'trafficAnswer') this.#asked.delete(message.requestId);
    this.#post(message);
  }

  /** A window that follows this one wants to see something, or has something to show. */
  serve(look: FollowerLook, follower: Follower): void {
    const tell = (message: RunningMessage | TrafficReply) => follower.send(message);
    if (look.type === 'tellCalls') {
      this.#office.calls.set(follower, look.calls, (id) => follower.send({ type: 'cancelCall', id }));
    } else if (look.type === 'askTraffic') void this.#office.answer(look, tell);
    else if (look.isOn) this.#office.watch(follower, tell);
    else this.#office.unwatch(follower);
  }

  /** It has left. */
  forget(follower: Follower): void {
    this.#office.unwatch(follower);
    this.#office.calls.forget(follower);
  }
}
