import * as fc from 'fast-check';
import type { ChatEvent, ChatResponse } from '../../../src/formats/answer.ts';
import type { AssistantPart } from '../../../src/formats/conversation.ts';
import type { Usage } from '../../../src/formats/usage.ts';
import type { Carried } from './carried.ts';
import { assistantParts } from './parts.ts';
import { identifier, plain, some, text, word } from './values.ts';

// --------------------------------------------------------------------------------------------------------- answer

function usage(carried: Carried): fc.Arbitrary<Usage> {
  const extra = Object.fromEntries(carried.usage.map((key) => [key, fc.integer({ min: 0, max: 500 })]));
  const base = { inputTokens: fc.integer({ min: 1000, max: 9000 }), outputTokens: fc.integer({ min: 500, max: 900 }) };
  return some<Pick<Usage, keyof typeof base>, Omit<Usage, keyof typeof base>>(base, extra);
}

function finish(carried: Carried, parts: readonly AssistantPart[]) {
  const called = parts.some(({ type }) => type === 'toolCall');
  const fitting = carried.finishReasons.filter((reason) =>
    called ? ['toolCalls', 'length'].includes(reason) : reason !== 'toolCalls',
  );
  return fc.constantFrom(...fitting).chain((finishReason) =>
    some<Pick<ChatResponse, 'finishReason'>, Pick<ChatResponse, 'stopSequence'>>(
      {
        finishReason: fc.constant(finishReason),
        ...(finishReason === 'stopSequence' && carried.namedStopSequence ? { stopSequence: text } : {}),
      },
      {},
    ),
  );
}

/** Any answer that the format supports completely. The finish reason `toolCalls` only occurs with calls. */
export function chatResponse(carried: Carried): fc.Arbitrary<ChatResponse> {
  const head = some(
    {
      id: identifier.map((id) => carried.idPrefix + id),
      model: word,
      usage: usage(carried),
      ...(carried.createdAt ? { createdAt: fc.integer({ min: 1_600_000_000, max: 2_000_000_000 }) } : {}),
    },
    {},
  );
  const response = assistantParts(carried).chain((parts) =>
    fc.tuple(head, finish(carried, parts)).map(([fields, end]) => ({ ...fields, parts, ...end })),
  );
  return plain(response);
}

// --------------------------------------------------------------------------------------------------------- stream

/**
 * A complete stream: text in deltas of any size, adjacent tool calls interleaved, usage before or after the finish.
 * `assembleResponse` returns its answer.
 */
export function chatEvents(carried: Carried): fc.Arbitrary<ChatEvent[]> {
  return fc
    .tuple(chatResponse(carried), fc.infiniteStream(fc.nat()), fc.boolean())
    .map(([response, numbers, usageLast]) => {
      const dice: Dice = (below) => {
        const { value } = numbers.next();
        return value === undefined ? 0 : value % below;
      };
      return streamOf(response, dice, usageLast);
    });
}

/** Returns a number from 0 to `below`, exclusive. */
type Dice = (below: number) => number;

function streamOf(response: ChatResponse, dice: Dice, usageLast: boolean): ChatEvent[] {
  const { id, model, createdAt, parts, finishReason, stopSequence, usage: used } = response;
  const start: ChatEvent = { type: 'start', id, model, ...(createdAt !== undefined && { createdAt }) };
  const end: ChatEvent = { type: 'finish', reason: finishReason, ...(stopSequence !== undefined && { stopSequence }) };
  const counted: ChatEvent[] = used === undefined ? [] : [{ type: 'usage', usage: used }];
  const body = groupsOfCalls(parts).flatMap((group) => interleave(group, dice));
  return [start, ...body, ...(usageLast ? [end, ...counted] : [...counted, end])];
}

interface Placed {
  readonly part: AssistantPart;
  readonly index: number;
}

/** Groups adjacent tool calls; every other part is a group of its own. */
function groupsOfCalls(parts: readonly AssistantPart[]): Placed[][] {
  const groups: Placed[][] = [];
  for (const [index, part] of parts.entries()) {
    const last = groups.at(-1);
    if (part.type === 'toolCall' && last?.[0]?.part.type === 'toolCall') last.push({ part, index });
    else groups.push([{ part, index }]);
  }
  return groups;
}

/** Interleaves the events of all parts, keeping the order within each part. Parts start in the order of their index. */
function interleave(group: readonly Placed[], dice: Dice): ChatEvent[] {
  const lanes = group.map((placed) => eventsOf(placed, dice));
  const events: ChatEvent[] = [];
  let started = 0;
  while (lanes.some((lane) => lane.length > 0)) {
    const reach = Math.min(started + 1, lanes.length);
    const open = lanes.slice(0, reach).flatMap((lane, place) => (lane.length > 0 ? [place] : []));
    const place = open[dice(open.length)] ?? 0;
    if (place === started) started += 1;
    const next = lanes[place]?.shift();
    if (next !== undefined) events.push(next);
  }
  return events;
}

function eventsOf({ part, index }: Placed, dice: Dice): ChatEvent[] {
  switch (part.type) {
    case 'text':
      return pieces(part.text, dice).map((piece) => ({ type: 'textDelta', index, text: piece }));
    case 'refusal':
      return pieces(part.text, dice).map((piece) => ({ type: 'refusalDelta', index, text: piece }));
    case 'reasoning': {
      const { type: _, text: thought, ...seal } = part;
      const deltas = pieces(thought, dice).map((piece): ChatEvent => ({ type: 'reasoningDelta', index, text: piece }));
      return Object.keys(seal).length > 0 ? [...deltas, { type: 'reasoningSeal', index, ...seal }] : deltas;
    }
    case 'image':
      return [{ type: 'image', index, source: part.source }];
    case 'toolCall': {
      const { type: _, arguments: written, cacheHint: __, ...call } = part;
      const deltas = pieces(written, dice).map(
        (piece): ChatEvent => ({ type: 'toolCallDelta', index, arguments: piece }),
      );
      return [{ type: 'toolCallStart', index, ...call }, ...deltas, { type: 'toolCallEnd', index }];
    }
  }
}

/** Splits a text into one to four pieces, between characters. */
function pieces(whole: string, dice: Dice): string[] {
  const characters = Array.from(whole);
  const cuts = [dice(characters.length + 1), dice(characters.length + 1), dice(characters.length + 1)].sort(
    (a, b) => a - b,
  );
  const bounds = [0, ...cuts, characters.length];
  return bounds
    .slice(1)
    .map((bound, place) => characters.slice(bounds[place], bound).join(''))
    .filter((piece) => piece !== '');
}
