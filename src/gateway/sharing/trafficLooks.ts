import type { OwnGateway } from '../ownGateway.ts';
import type { RunningMessage, TrafficReply } from '../workerProtocol.ts';
import type { Follower } from './followerLinks.ts';
import type { FollowerLook } from './linkProtocol.ts';
import type { OwnerLink } from './ownerLink.ts';
import { type AskTraffic, TrafficOffice } from './trafficOffice.ts';

const OWNER_GONE = 'The window in which the gateway ran was closed.';

/** What this window, and those that follow it, want to see of the traffic, wherever the gateway runs. */
export class TrafficLooks {
  readonly #post: (message: RunningMessage | TrafficReply) => void;
  readonly #office: TrafficOffice;
  /** Questions that an owner elsewhere has yet to answer. */
  readonly #asked = new Set<number>();
  #owner: OwnerLink | undefined;
  #isWatching = false;

  constructor(gateway: OwnGateway, post: (message: RunningMessage | TrafficReply) => void) {
    this.#post = post;
    this.#office = new TrafficOffice(gateway);
  }

  /** The gateway runs elsewhere from now on. */
  follow(owner: OwnerLink): void {
    this.#owner = owner;
    this.#office.unwatch(this);
    if (this.#isWatching) owner.send({ type: 'watchTraffic', isOn: true });
  }

  /** The gateway runs here from now on, or nowhere. */
  stayHere(): void {
    this.#owner = undefined;
    for (const requestId of this.#asked) {
      this.#post({ type: 'trafficAnswer', requestId, answer: { kind: 'problem', problem: OWNER_GONE } });
    }
    this.#asked.clear();
    if (this.#isWatching) this.#office.watch(this, this.#post);
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
  hear(message: RunningMessage | TrafficReply): void {
    if (message.type === 'trafficAnswer') this.#asked.delete(message.requestId);
    this.#post(message);
  }

  /** A window that follows this one wants to see something. */
  serve(look: FollowerLook, follower: Follower): void {
    const tell = (message: RunningMessage | TrafficReply) => follower.send(message);
    if (look.type === 'askTraffic') void this.#office.answer(look, tell);
    else if (look.isOn) this.#office.watch(follower, tell);
    else this.#office.unwatch(follower);
  }

  /** It has left. */
  forget(follower: Follower): void {
    this.#office.unwatch(follower);
  }
}
