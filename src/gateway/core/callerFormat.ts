import type { IncomingHttpHeaders } from 'node:http';
import type { FormatName } from '../../formats/conversation.ts';
import type { Endpoint } from './upstream.ts';

const FORMAT_OF_ENDPOINT: Readonly<Partial<Record<Endpoint, FormatName>>> = {
  '/chat/completions': 'chat-completions',
  '/messages': 'messages',
  '/messages/count_tokens': 'messages',
  '/responses': 'responses',
  '/responses/compact': 'responses',
  '/completions': 'chat-completions',
  '/embeddings': 'chat-completions',
  '/moderations': 'chat-completions',
  '/rerank': 'chat-completions',
  '/images/generations': 'chat-completions',
  '/audio/transcriptions': 'chat-completions',
  '/audio/speech': 'chat-completions',
};

/**
 * Returns the format in which the caller reads errors: the endpoint's own, or else the one that its headers indicate.
 */
export function callerFormat(endpoint: Endpoint | undefined, headers: IncomingHttpHeaders): FormatName {
  const own = endpoint === undefined ? undefined : FORMAT_OF_ENDPOINT[endpoint];
  return own ?? (speaksMessages(headers) ? 'messages' : 'chat-completions');
}

function speaksMessages(headers: IncomingHttpHeaders): boolean {
  return (
    headers['anthropic-version'] !== undefined ||
    headers['vendorb-version'] !== undefined ||
    headers['x-api-key'] !== undefined
  );
}
