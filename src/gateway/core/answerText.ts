import type { ChatEvent, ChatResponse } from '../../formats/conversation.ts';
import { wireFormats } from '../../formats/index.ts';
import { eventsIn } from '../../formats/serverSentEvents.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { parseJson } from '../../service/json.ts';
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

function streamText(format: WireFormat, bytes: Uint8Array): string {
  const decoder = format.createStreamDecoder();
  let text = '';
  for (const event of eventsIn(bytes)) {
    for (const chatEvent of decoder.push(format.parseEvent(event))) text += textOf(chatEvent);
  }
  return text;
}

/** Returns the body itself if it is not an answer of the format. */
function wholeText(format: WireFormat, bytes: Uint8Array): string {
  const json = new TextDecoder().decode(bytes);
  try {
    return responseText(format.decodeResponse(parseJson(json)));
  } catch {
    return json;
  }
}

function responseText({ parts }: ChatResponse): string {
  return parts.map((part) => (part.type === 'toolCall' ? part.name + part.arguments : part.text)).join('');
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
