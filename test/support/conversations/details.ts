import * as fc from 'fast-check';
import type { ChatEvent } from '../../../src/formats/answer.ts';
import type { PlacedCitation, TokenLogProb } from '../../../src/formats/conversation.ts';
import { some, text, word } from './values.ts';

const span = fc.record({ start: fc.nat(20), end: fc.nat(40) });
const citation = fc.record(
  { url: word.map((name) => `https://example.com/${name}`), title: text, quote: text },
  { requiredKeys: [] },
);
const placed: fc.Arbitrary<PlacedCitation> = some({ citation }, { span });

const logProb = fc.record({ token: text, logProb: fc.double({ max: 0, noNaN: true, noDefaultInfinity: true }) });
const tokens: fc.Arbitrary<readonly TokenLogProb[]> = fc.array(
  fc.record({ token: text, logProb: fc.constant(-0.125), top: fc.array(logProb, { maxLength: 2 }) }),
  { minLength: 1, maxLength: 3 },
);

/** Adds details of the text to a stream: citations at any position, also before it, and log probabilities of tokens. */
export function withDetails(events: fc.Arbitrary<ChatEvent[]>): fc.Arbitrary<ChatEvent[]> {
  const details = fc.array(fc.record({ at: fc.nat(), cited: placed, likely: tokens }), { maxLength: 3 });
  return fc.tuple(events, details).map(([drawn, added]) => added.reduce(detailed, drawn));
}

interface Detail {
  readonly at: number;
  readonly cited: PlacedCitation;
  readonly likely: readonly TokenLogProb[];
}

function detailed(events: ChatEvent[], { at, cited, likely }: Detail): ChatEvent[] {
  const texts = events.flatMap((event, place) => (event.type === 'textDelta' ? [{ event, place }] : []));
  const chosen = texts[at % Math.max(1, texts.length)];
  if (chosen === undefined) return events;
  const { event, place } = chosen;
  const finish = events.findIndex(({ type }) => type === 'finish');
  const where = 1 + (at % finish);
  const marked = events.with(place, { ...event, logProbs: likely });
  return marked.toSpliced(where, 0, { type: 'citation', index: event.index, ...cited });
}
