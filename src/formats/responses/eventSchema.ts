/** Events of a streamed answer. Those listed here have an equivalent in the neutral form; all others are accepted. */
import * as z from 'zod/mini';
import { openUnion } from '../check.ts';
import { annotation, logprobs } from './contentSchema.ts';
import { outputItemSchema, responseErrorSchema, streamedResponseSchema } from './schema.ts';

function eventOf<Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) {
  return z.looseObject({ type: z.literal(type), ...shape });
}

const lifecycle = { response: z.nullish(streamedResponseSchema) };
/** Some services send only one of the two. */
const ofItem = { output_index: z.nullish(z.number()), item_id: z.nullish(z.string()) };
const ofContent = { ...ofItem, content_index: z._default(z.number(), 0) };
const ofSummary = { ...ofItem, summary_index: z._default(z.number(), 0) };
const written = z.nullish(z.string());
const delta = { delta: written };

/** Some services omit the type, others put the members into `error`. */
const errorEvent = z
  .looseObject({
    type: z.optional(z.literal('error')),
    message: z.nullish(z.string()),
    code: z.nullish(z.string()),
    param: z.nullish(z.string()),
    error: z.nullish(responseErrorSchema),
  })
  .check(z.refine((event) => Boolean(event.message ?? event.error), 'This needs a message.'));

const event = openUnion([
  eventOf('response.output_text.delta', { ...ofContent, ...delta, logprobs }),
  eventOf('response.output_text.done', { ...ofContent, text: written, logprobs }),
  eventOf('response.output_text.annotation.added', { ...ofContent, annotation }),
  eventOf('response.refusal.delta', { ...ofContent, ...delta }),
  eventOf('response.refusal.done', { ...ofContent, refusal: written }),
  eventOf('response.function_call_arguments.delta', { ...ofItem, ...delta }),
  eventOf('response.function_call_arguments.done', { ...ofItem, arguments: written }),
  eventOf('response.custom_tool_call_input.delta', { ...ofItem, ...delta }),
  eventOf('response.custom_tool_call_input.done', { ...ofItem, input: written }),
  eventOf('response.reasoning_summary_text.delta', { ...ofSummary, ...delta }),
  eventOf('response.reasoning_text.delta', { ...ofContent, ...delta }),
  eventOf('response.output_item.added', { ...ofItem, item: outputItemSchema }),
  eventOf('response.output_item.done', { ...ofItem, item: outputItemSchema }),
  eventOf('response.created', lifecycle),
  eventOf('response.in_progress', lifecycle),
  eventOf('response.completed', lifecycle),
  eventOf('response.incomplete', lifecycle),
  eventOf('response.failed', lifecycle),
  errorEvent,
]);

export const eventSchema = event.schema;
export const isKnownEvent = event.isKnown;

export type ResponsesEvent = z.infer<typeof event.schema>;
export type ResponsesKnownEvent = z.infer<typeof event.known>;
