import * as z from 'zod/mini';
import { openUnion } from '../check.ts';
import { answerText, citation, messagesError, responseBlock, stopDetails, usage } from './schema.ts';

const blockDelta = openUnion([
  z.looseObject({ type: z.literal('text_delta'), text: answerText }),
  z.looseObject({ type: z.literal('input_json_delta'), partial_json: answerText }),
  z.looseObject({ type: z.literal('thinking_delta'), thinking: answerText }),
  z.looseObject({ type: z.literal('signature_delta'), signature: answerText }),
  z.looseObject({ type: z.literal('citations_delta'), citation }),
]);
export const isKnownBlockDelta = blockDelta.isKnown;
/** Without it, the block that began last is meant. */
const index = z.nullish(z.number());
const startedMessage = z.looseObject({
  id: z.nullish(z.string()),
  model: z.nullish(z.string()),
  usage: z.nullish(usage),
});
export const messageDelta = z.looseObject({
  stop_reason: z.nullish(z.string()),
  stop_sequence: z.nullish(z.string()),
  stop_details: stopDetails,
});
const streamEvent = openUnion([
  z.looseObject({
    type: z.literal('message_start'),
    message: z.nullish(startedMessage),
  }),
  z.looseObject({ type: z.literal('content_block_start'), index, content_block: responseBlock.schema }),
  z.looseObject({ type: z.literal('content_block_delta'), index, delta: blockDelta.schema }),
  z.looseObject({ type: z.literal('content_block_stop'), index }),
  z.looseObject({
    type: z.literal('message_delta'),
    delta: z.nullish(messageDelta),
    usage: z.nullish(usage),
  }),
  z.looseObject({ type: z.literal('message_stop') }),
  z.looseObject({ type: z.literal('ping') }),
  messagesError,
]);
export const isKnownEvent = streamEvent.isKnown;
export const messagesEvent = streamEvent.schema;
export type MessagesEvent = z.infer<typeof messagesEvent>;
export type MessagesKnownEvent = z.infer<typeof streamEvent.known>;
export type BlockDelta = z.infer<typeof blockDelta.known>;
