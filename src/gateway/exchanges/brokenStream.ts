import type { ApiError } from '../../formats/apiError.ts';
import { formatServerSentEvent } from '../../formats/serverSentEvents.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';

/**
 * What to append to an event stream that broke off, so that no client takes it for a whole answer: the format's error
 * event. The blank line before it ends an event that was cut in its middle.
 */
export function brokenStreamEvent(format: WireFormat, error: ApiError): string {
  const encoder = format.createStreamEncoder({
    request: { model: '', system: [], messages: [] },
    now: Math.floor(Date.now() / 1000),
  });
  return `\n\n${encoder.push({ type: 'error', error }).map(formatServerSentEvent).join('')}`;
}
