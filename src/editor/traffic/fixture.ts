import { eventsOf } from '../../pages/traffic/shownBody.ts';
import { jsonOf, type Recorded, textOf } from './recorded.ts';

/** Headers that apply only to one day or one connection. */
const FLEETING = new Set(['date', 'content-length', 'connection', 'transfer-encoding', 'request-id', 'x-request-id']);

/**
 * An exchange in a form that a test can replay: the request, and the answer as a whole or event by event, with the
 * milliseconds between the events.
 */
export function fixtureOf({ row, details, request, answer }: Recorded): object {
  const events = answer === undefined ? [] : eventsOf(answer.pieces);
  return {
    format: row.callerFormat,
    endpoint: row.endpoint,
    request: jsonOf(request) ?? null,
    answer: {
      status: row.status ?? null,
      headers: Object.fromEntries((details?.answerHeaders ?? []).filter(([name]) => !FLEETING.has(name))),
      ...(events.length > 0
        ? {
            events: events.map(({ atMs, name, data }, nth) => ({
              afterMs: Math.round(atMs - (events[nth - 1]?.atMs ?? atMs)),
              event: name,
              data,
            })),
          }
        : { body: jsonOf(answer) ?? (answer === undefined ? null : textOf(answer)) }),
    },
  };
}
