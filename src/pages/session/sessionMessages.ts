import * as z from 'zod/mini';
import { messageReader } from '../pageMessages.ts';
import type { SessionPageMessage } from './protocol.ts';

const text = z.string();
const time = z.optional(z.number());
const ofReplay = { id: text };

/** Reads the messages of the page of a session. */
export const readSessionMessage = messageReader<SessionPageMessage>({
  ready: { sessionId: z.optional(text) },
  openUsage: {},
  showInTraffic: { from: time, to: time },
  export: {},
  raiseCap: { raise: z.number().check(z.positive()) },
  endSession: {},
  setCap: {},
  replay: {},
  openReplay: ofReplay,
  stopReplay: ofReplay,
  showReplayInTraffic: ofReplay,
});
