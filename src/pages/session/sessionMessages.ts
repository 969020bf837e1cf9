import * as z from 'zod/mini';
import { type MessageOf, messageReader } from '../pageMessages.ts';

const text = z.string();
const time = z.optional(z.number());

const messages = {
  /** Contains the session that the page showed before. */
  ready: { sessionId: z.optional(text) },
  openUsage: {},
  /**
   * Shows one turn, or without times the whole session. Times are in milliseconds since the epoch; `to` is exclusive.
   */
  showInTraffic: { from: time, to: time },
  export: {},
  /** Copies what switches a server of tools off in the session's client. */
  copySwitchOff: { server: text },
  /** `raise` is in US dollars, and applies to this session only. */
  raiseCap: { raise: z.number().check(z.positive()) },
  endSession: {},
  /** Opens the limits of the session's local key. */
  setCap: {},
};

export type SessionPageMessage = MessageOf<typeof messages>;

export const readSessionMessage = messageReader(messages);
