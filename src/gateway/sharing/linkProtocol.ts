/** The messages between the owner of the port and its followers after authentication. */
import * as z from 'zod/mini';
import type { CancelCallMessage, RunningMessage, TrafficCommand, TrafficReply } from '../traffic/protocol.ts';
import type { ChangeCommand, ExchangeEvent, SharedKeys } from './protocol.ts';

/**
 * Contains a nonce of each side and the owner's proof. The name has a version number, because windows can run different
 * versions.
 */
export const LINK_HEADER = 'model-access-link-8';

/** Time limit for the owner's proof and for the follower's first message. */
export const HANDSHAKE_MS = 2_000;

export type FollowerRequest =
  /** Settings or keys were changed in the follower's window. */
  | ChangeCommand
  /** The user has stopped the gateway, for all windows. */
  | { readonly type: 'stop' };

/** A follower's subscriptions and queries about the owner's traffic, its own running requests, and its branch. */
export type TrafficSubscription = Extract<
  TrafficCommand,
  { readonly type: 'watchTraffic' | 'askTraffic' | 'reportCalls' | 'reportBranch' }
>;

/** `hello` comes first. That it could be sealed is the follower's proof. */
export type FollowerMessage = FollowerRequest | TrafficSubscription | { readonly type: 'hello' };

const messageSchema = z.union([
  z.object({ type: z.enum(['hello', 'stop']) }),
  z.object({ type: z.literal('change'), settings: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal('watchTraffic'), isOn: z.boolean() }),
  z.object({ type: z.literal('askTraffic'), requestId: z.number(), question: z.object({ kind: z.string() }) }),
  z.object({ type: z.literal('reportCalls'), calls: z.array(z.unknown()) }),
  z.object({ type: z.literal('reportBranch'), mark: z.string() }),
]);

/**
 * Whether the owner knows this message. A window of another version may send others, which must not be taken for one of
 * these. What is inside a message is not checked: its sender has proved that it is a window of the same user.
 */
export function isFollowerMessage(message: unknown): message is FollowerMessage {
  return messageSchema.safeParse(message).success;
}

export type OwnerEvent =
  /** A setting was changed in another window. */
  ChangeCommand | ExchangeEvent | RunningMessage | TrafficReply | CancelCallMessage;

export type OwnerMessage =
  | OwnerEvent
  /** The answer to `hello`. */
  | ({ readonly type: 'welcome' } & SharedKeys)
  /** The last message: the port is free. After `handover`, a follower takes it over; after `stopped`, none does. */
  | { readonly type: 'close'; readonly reason: CloseReason };

export type CloseReason = 'handover' | 'stopped';
