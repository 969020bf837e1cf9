import * as z from 'zod/mini';
import { messageReader, oneOf } from '../../webviews/pageMessages.ts';
import type { ReviewDecision, ReviewPageMessage } from './protocol.ts';

const text = z.string();
const change = { file: text, id: text };

/** Reads the messages of the page that reviews the changes of a run. */
export const readReviewMessage = messageReader<ReviewPageMessage>({
  ready: {},
  decide: {
    decision: oneOf<ReviewDecision>({ accepted: true, discarded: true }),
    changes: z.array(z.object(change)),
  },
  undo: change,
  showAll: change,
  placeByHand: change,
  openFile: { file: text, line: z.number().check(z.int(), z.positive()) },
  restore: {},
  confirmRestore: { files: z.boolean(), chat: z.boolean() },
  cancelRestore: {},
});
