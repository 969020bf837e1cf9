/** What the owner of the port and its followers say to each other, after each has proved itself. */
import type { CancelCallMessage, RunningMessage, TrafficCommand, TrafficReply } from '../traffic/protocol.ts';
import type { ExchangeEvent, ListenCommand, SettingsCommand } from './protocol.ts';

/** Carries a random value of each side and the owner's proof; with a number, since windows can run several versions. */
export const LINK_HEADER = 'model-access-link-6';

/** For the owner to prove itself, and for the follower to say its first words. */
export const HANDSHAKE_MS = 2_000;

/** What a follower asks. */
export type FollowerRequest =
  /** Settings or keys were changed in its window. */
  | { readonly type: 'apply'; readonly command: SettingsCommand }
  /** The user stops the gateway, in all windows. */
  | { readonly type: 'stop' };

/** What a follower wants to see of the owner's traffic, and what runs in its own window. */
export type TrafficSubscription = Extract<
  TrafficCommand,
  { readonly type: 'watchTraffic' | 'askTraffic' | 'reportCalls' }
>;

/** `hello` is the first: that it could be sealed is the follower's proof. */
export type FollowerMessage = FollowerRequest | TrafficSubscription | { readonly type: 'hello' };

/** What the owner tells. */
export type OwnerEvent =
  /** Changed in another window. */
  | { readonly type: 'apply'; readonly command: SettingsCommand }
  | ExchangeEvent
  | RunningMessage
  | TrafficReply
  | CancelCallMessage;

export type OwnerMessage =
  | OwnerEvent
  /** The answer to `hello`. */
  | { readonly type: 'welcome'; readonly localKeys: ListenCommand['localKeys'] }
  /** The last: the port is free. After `handover` a follower takes it, after `stopped` nobody does. */
  | { readonly type: 'close'; readonly reason: CloseReason };

export type CloseReason = 'handover' | 'stopped';
