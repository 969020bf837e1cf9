import { type ChatEvent, type ChatResponse, writtenText } from '../../formats/answer.ts';
import { wireFormats } from '../../formats/index.ts';
import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import { eventsIn, type ServerSentEvent } from '../../formats/serverSentEvents.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { UncountedAnswer } from './usageEstimator.ts';

/**
 * Returns everything that a model wrote and the caller could see: text, visible reasoning, and arguments of tool calls.
 */
export function answerText({
  format,
  isStream,
  bytes,
}: Pick<UncountedAnswer, 'format' | 'isStream' | 'bytes'>): string {
  const wire = wireFormats[format];
  return isStream ? streamText(wire, bytes) : wholeText(wire, bytes);
}

function streamText(format: WireFormat, bytes: Buffer): string {
  const events = eventsIn(bytes);
  const streams = format.name === 'chat-completions' ? byChoice(events) : [events];
  return streams.map((stream) => textOfStream(format, stream)).join('');
}

function textOfStream(format: WireFormat, events: readonly ServerSentEvent[]): string {
  const decoder = format.createStreamDecoder();
  let text = '';
  for (const event of events) {
    for (const chatEvent of decoder.push(format.parseEvent(event))) text += textOf(chatEvent);
  }
  return text;
}

/** Contained in every chunk of a further choice, and in some others. */
const FURTHER_INDEX = /"index"\s*:\s*[1-9]/;

/** Separates the chunks of several answers to one request, each as the only one, because decoders read only the first. */
function byChoice(events: readonly ServerSentEvent[]): readonly (readonly ServerSentEvent[])[] {
  if (!events.some(({ data }) => FURTHER_INDEX.test(data))) return [events];
  const streams = new Map<unknown, ServerSentEvent[]>();
  for (const event of events) {
    const chunk = parseJson(event.data);
    for (const choice of isRecord(chunk) ? choicesIn(chunk) : []) {
      const stream = streams.get(choice.index) ?? [];
      stream.push({ ...event, data: JSON.stringify(alone(chunk, choice)) });
      streams.set(choice.index, stream);
    }
  }
  return [...streams.values()];
}

function choicesIn({ choices }: JsonRecord): readonly JsonRecord[] {
  return Array.isArray(choices) ? choices.filter(isRecord) : [];
}

function alone(answer: unknown, choice: JsonRecord): unknown {
  return isRecord(answer) ? { ...answer, choices: [{ ...choice, index: 0 }] } : answer;
}

/** Returns the body itself if it is not an answer of the format. */
function wholeText(format: WireFormat, bytes: Buffer): string {
  const json = new TextDecoder().decode(bytes);
  const body = parseJson(json);
  const choices = isRecord(body) ? choicesIn(body) : [];
  const answers = choices.length > 1 ? choices.map((choice) => alone(body, choice)) : [body];
  try {
    return answers.map((answer) => responseText(format.decodeResponse(answer))).join('');
  } catch {
    return json;
  }
}

function responseText({ parts }: ChatResponse): string {
  return parts.map((part) => (part.type === 'toolCall' ? part.name : '') + writtenText(part)).join('');
}

function textOf(event: ChatEvent): string {
  switch (event.type) {
    case 'textDelta':
    case 'refusalDelta':
    case 'reasoningDelta':
      return event.text;
    case 'toolCallDelta':
      return event.arguments;
    default:
      return '';
  }
}
