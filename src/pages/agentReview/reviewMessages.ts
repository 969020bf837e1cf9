import * as z from 'zod/mini';
import { messageReader, oneOf } from '../pageMessages.ts';
import type { ReviewDecision, ReviewPageMessage } from './protocol.ts';

const text = z.string();
const change = { file: text, id: text };
const decision = oneOf<ReviewDecision>({ accepted: true, discarded: true });

/** Reads the messages of a page that reviews changes. */
export const readReviewMessage = messageReader<ReviewPageMessage>({
  ready: {},
  decide: {
    decision,
    changes: z.array(z.object(change)),
  },
  decideAll: { decision },
  undo: change,
  showAll: change,
  placeByHand: change,
  openFile: { file: text, line: z.number().check(z.int(), z.positive()) },
  restore: {},
  confirmRestore: { files: z.boolean(), chat: z.boolean() },
  cancelRestore: {},
});
