import type { FormatName } from '../../formats/conversation.ts';
import { wireFormats } from '../../formats/index.ts';
import { ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';
import type { CapturedBody, TrafficDetails } from '../../gateway/traffic/protocol.ts';
import type { AnswerStep, ShownBody, ShownEvent } from './protocol.ts';

/** Converts a captured body for the page: a stream to its events, with the steps of the answer. */
export function shownBody(body: CapturedBody, details: TrafficDetails | undefined): ShownBody {
  const { part, bytes, keptBytes, isReadable, pieces } = body;
  const format = formatOf(part, details);
  const base = { part, bytes, keptBytes, isReadable, ...(format !== undefined && { format }) };
  const text = pieces.map(([, piece]) => piece).join('');
  const isStream = (part === 'answer' || part === 'upstreamAnswer') && /^(?::|data:|event:|id:|retry:)/.test(text);
  if (!isStream) return { ...base, text };
  const events = eventsOf(pieces);
  return { ...base, events, ...(format !== undefined && { steps: stepsOf(events, format) }) };
}

function formatOf(part: CapturedBody['part'], details: TrafficDetails | undefined): FormatName | undefined {
  const isUpstream = part === 'upstreamRequest' || part === 'upstreamAnswer';
  return isUpstream ? details?.record?.upstreamFormat : details?.callerFormat;
}

/** Decodes the events, each with the time at which its last byte arrived. */
export function eventsOf(pieces: CapturedBody['pieces']): ShownEvent[] {
  const decoder = new ServerSentEventDecoder();
  const encoder = new TextEncoder();
  return pieces.flatMap(([atMs, text]) =>
    decoder.push(encoder.encode(text)).map(({ event, data }) => ({
      atMs,
      ...(event !== undefined && { name: event }),
      data,
    })),
  );
}

const STARTS = { reasoningDelta: 'reasoning', textDelta: 'text', refusalDelta: 'refusal' } as const;

/** Returns when each part of the answer began, and how it ended. */
function stepsOf(events: readonly ShownEvent[], name: FormatName): AnswerStep[] {
  const format = wireFormats[name];
  const decoder = format.createStreamDecoder();
  const steps: AnswerStep[] = [];
  let part = -1;
  for (const { atMs, name: event, data } of events) {
    const item = format.parseEvent({ data, ...(event !== undefined && { event }) });
    for (const happened of decoder.push(item)) {
      switch (happened.type) {
        case 'reasoningDelta':
        case 'textDelta':
        case 'refusalDelta':
          if (happened.index !== part) steps.push({ atMs, kind: STARTS[happened.type] });
          part = happened.index;
          break;
        case 'toolCallStart':
          steps.push({ atMs, kind: 'toolCall', name: happened.name });
          break;
        case 'finish':
          steps.push({ atMs, kind: 'finish', name: happened.reason });
          break;
        case 'error':
          steps.push({ atMs, kind: 'error', name: happened.error.message });
          break;
        default:
      }
    }
  }
  return steps;
}
