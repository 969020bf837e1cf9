/** What an upstream can do, and how the gateway reacts. Used by the tests and by the table in docs/routing.md. */
export interface FailoverCase {
  readonly number: number;
  readonly upstream: string;
  readonly expected: string;
  /** The corresponding scenarios of failoverbench 0.1. */
  readonly bench?: readonly string[];
}

function failoverCase(number: number, upstream: string, expected: string, ...bench: string[]): FailoverCase {
  return { number, upstream, expected, ...(bench.length > 0 && { bench }) };
}

export const CASES: readonly FailoverCase[] = [
  failoverCase(
    1,
    '429 with `retry-after`',
    'the next is tried immediately, and this one not again for that time; if there is no other, the 429 is returned with its header',
    'S01',
  ),
  failoverCase(2, '429 without `retry-after`, repeatedly', 'one attempt for each request, with growing pauses', 'S02'),
  failoverCase(
    3,
    '400 or 429 for lack of credit',
    'class `credit`: the next is tried if `also` has it, with a long pause',
  ),
  failoverCase(4, '500 once, and no other upstream', 'one retry with jitter', 'S03'),
  failoverCase(
    5,
    '503 or 529 from all',
    'each is tried once; the first error is returned in the format of the client',
    'S04',
  ),
  failoverCase(
    6,
    'connection refused or reset, unknown host, TLS error',
    'the next is tried; if there is no other, one retry',
    'S05',
  ),
  failoverCase(7, 'no headers in time', 'the next is tried', 'S06'),
  failoverCase(8, 'headers, but no output in time', 'the next is tried, and the first request is canceled', 'S07'),
  failoverCase(9, 'only reasoning', 'it counts as output'),
  failoverCase(
    10,
    '200, then an error event, also after the first events',
    'the next is tried, and the client does not notice; if there is no other, the error is returned with its actual status',
  ),
  failoverCase(11, '200 with an empty stream', 'the next is tried'),
  failoverCase(12, '200 with JSON that is an error or has no answer', 'the next is tried'),
  failoverCase(13, '200 with a web page', 'the next is tried; if there is no other, 502'),
  failoverCase(14, 'interrupted after output', 'an error event, never a clean end', 'S08', 'S14'),
  failoverCase(15, "interrupted inside a tool's arguments", 'the call is never completed'),
  failoverCase(
    16,
    'no data after output',
    'an error event after `idleSeconds`; pings of the upstream count as activity, heartbeats of the gateway do not',
    'S09',
  ),
  failoverCase(
    17,
    'a malformed event',
    'skipped if translated, and the answer ends with an error after the rest; passed through in the same format',
    'S10',
  ),
  failoverCase(
    18,
    'everything is sent except the last event, and the connection is open or closed',
    'a complete answer within two seconds, with its usage',
    'S11',
  ),
  failoverCase(
    19,
    'the request is too long for the model',
    'no retry; with `overflow` in `also`, the next with a larger context window is asked',
    'S12',
  ),
  failoverCase(20, 'any other 400', 'no other upstream is asked; the body is returned unchanged'),
  failoverCase(
    21,
    "refused by the upstream's content filter",
    'returned; the next is tried if `also` has `filter`',
    'S13',
  ),
  failoverCase(
    22,
    'refused by the model, or ended by a content filter, before any output, streamed or whole',
    'returned; the next is tried if `also` has `refusal`',
  ),
  failoverCase(23, '402', 'returned; the next is tried if `also` has `credit`'),
  failoverCase(24, "401 or 403 for the gateway's key", 'the next is tried; if there is no other, 502'),
  failoverCase(25, '404 of the model', 'the next is tried; the model is paused, not the upstream'),
  failoverCase(
    26,
    'no support for tools, images, or a stored answer',
    'skipped, and named in `x-model-access-route` and in the record',
  ),
  failoverCase(
    27,
    'unavailable for a while, then available',
    'all requests are answered; new sessions return within 30 seconds',
    'S15',
  ),
  failoverCase(28, '`/models` works, answers fail', 'the circuit opens again with the first failure'),
  failoverCase(29, 'a session that the client names', 'stays with its upstream until its cache has gone cold'),
  failoverCase(
    30,
    'a session that the client does not name',
    'stays, recognized by its instructions, tools, and first message',
  ),
  failoverCase(31, 'the client disconnects', 'all requests to upstreams are canceled'),
  failoverCase(32, 'longer than `totalSeconds`', 'the answer ends with an error'),
  failoverCase(
    33,
    'fails and may be billed, and the budget does not cover another attempt',
    '402; the first attempt is charged, and no other upstream is tried',
  ),
  failoverCase(
    34,
    'an answer after a failover',
    'model and usage are those of the upstream that answered; the cost includes failed attempts that were billed',
    'S16',
  ),
];

/** @param upstream what it does, as the table says. */
export function caseOf(upstream: string): FailoverCase {
  const found = CASES.find((each) => each.upstream === upstream);
  if (found === undefined) throw new Error(`There is no case “${upstream}”.`);
  return found;
}

export function titleOf(upstream: string): string {
  return `${upstream}: ${caseOf(upstream).expected}`;
}
