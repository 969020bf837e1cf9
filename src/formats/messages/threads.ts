/** Conversations that the service keeps itself, so that a client sends only what is new. Nothing here keeps them. */
import type { ApiError } from '../apiError.ts';

/** The name by which the unread members of a request tell that it goes on from an answer of a thread. */
export const CONTINUED_THREAD = 'previous_message_id';

/** After this the official SDK sends the whole conversation, as the beginning of another thread. */
export const LOST_THREAD: ApiError = {
  kind: 'notFound',
  status: 404,
  code: 'thread_not_found',
  param: 'thread',
  message: 'The thread of this message is not known here. Send the whole conversation.',
};
