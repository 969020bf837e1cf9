import type { ApiError } from '../../formats/apiError.ts';
import { formatServerSentEvent } from '../../formats/serverSentEvents.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';

/**
 * Returns what to append to an event stream that was cut off, so that no client considers the answer complete: the
 * format's error event. The blank line before it ends an incomplete event.
 */
export function brokenStreamEvent(format: WireFormat, error: ApiError): string {
  const encoder = format.createStreamEncoder({
    request: { model: '', system: [], messages: [] },
    now: Math.floor(Date.now() / 1000),
  });
  return `\n\n${encoder.push({ type: 'error', error }).map(formatServerSentEvent).join('')}`;
}
