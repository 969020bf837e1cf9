import { wireFormats } from '../../formats/index.ts';
import type { ServerSentEvent } from '../../formats/serverSentEvents.ts';
import { newId } from '../core/callIds.ts';

/** The answer to a request that only prepares a conversation: complete, without output, and free. */
export interface WarmUp {
  readonly id: string;
  readonly events: readonly ServerSentEvent[];
}

export function warmUp(model: string): WarmUp {
  const id = `resp_${newId()}`;
  const request = { model, system: [], messages: [] };
  const encoder = wireFormats.responses.createStreamEncoder({ request, now: Math.floor(Date.now() / 1000) });
  const events = [
    ...encoder.push({ type: 'start', id, model }),
    ...encoder.push({ type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } }),
    ...encoder.push({ type: 'finish', reason: 'stop' }),
    ...encoder.end(),
  ];
  return { id, events };
}
