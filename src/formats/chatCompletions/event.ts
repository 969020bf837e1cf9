import type { ServerSentEvent } from '../serverSentEvents.ts';
import { checkEvent } from '../tolerant.ts';
import type { StreamItem } from '../wireFormat.ts';
import { type ChatCompletionsEvent, eventSchema } from './schema.ts';

/** Validates one event of a stream. An event named `error` is an error even if its data is the error object itself. */
export function parseEvent(event: ServerSentEvent): StreamItem<ChatCompletionsEvent> {
  if (event.data.trim() === '[DONE]') return { type: 'done' };
  const item = checkEvent(eventSchema, event);
  if (event.event !== 'error') return item;
  if (item.type !== 'event') return { type: 'event', event: { error: { message: event.data } } };
  return item.event.error ? item : { type: 'event', event: { error: item.event } };
}
