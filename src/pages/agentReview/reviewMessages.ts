import * as z from 'zod/mini';
import { type MessageOf, messageReader, oneOf } from '../pageMessages.ts';
import type { ReviewDecision } from './protocol.ts';

const text = z.string();
const change = { file: text, id: text };
const decision = oneOf<ReviewDecision>({ accepted: true, discarded: true });

const messages = {
  ready: {},
  decide: {
    decision,
    changes: z.array(z.object(change)),
  },
  /** Decides on all open changes. Sent by commands, not by the page, which names the changes that it shows. */
  decideAll: { decision },
  undo: change,
  /** Asks for all lines of a change. */
  showAll: change,
  /** Compares the file with its other text in an editor, so that the user can take over single lines. */
  placeByHand: change,
  /** `line` is counted from 1. */
  openFile: { file: text, line: z.number().check(z.int(), z.positive()) },
  /** Asks for what restoring to the state before the run changes. */
  restore: {},
  confirmRestore: { files: z.boolean(), chat: z.boolean() },
  cancelRestore: {},
};

export type ReviewPageMessage = MessageOf<typeof messages>;

export const readReviewMessage = messageReader(messages);
