/** Conversations that the service stores, so that a client sends only new messages. The gateway does not store them. */
import type { ApiError } from '../apiError.ts';

/** The name reported for an unsupported request member if the request continues a thread. */
export const CONTINUED_THREAD = 'previous_message_id';

/** After this error, the official SDK sends the whole conversation as a new thread. */
export const LOST_THREAD: ApiError = {
  kind: 'notFound',
  status: 404,
  code: 'thread_not_found',
  param: 'thread',
  message: 'The thread of this message is not known here. Send the whole conversation.',
};
