import type { ChatEvent } from '../../../formats/answer.ts';
import { FormatError } from '../../../formats/apiError.ts';
import type { AssistantPart } from '../../../formats/conversation.ts';
import { ServerSentEventDecoder } from '../../../formats/serverSentEvents.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import { readErrorBody } from '../../../service/errorBody.ts';

/** The content of a model's answer. */
export interface ReplayContent {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** The error that ended the answer. */
  readonly problem?: string;
}

const STREAM_START = /^(?::|data:|event:|id:|retry:)/;

/** Reads the body of an answer, which may be a stream or end too early. */
export function readAnswer(body: string, format: WireFormat): ReplayContent {
  return STREAM_START.test(body) ? readStream(body, format) : readWhole(body, format);
}

function readStream(body: string, format: WireFormat): ReplayContent {
  const decoder = format.createStreamDecoder();
  const events = new ServerSentEventDecoder().push(new TextEncoder().encode(body));
  const happened = [...events.flatMap((event) => decoder.push(format.parseEvent(event))), ...decoder.end()];
  const texts = new Map<number, string>();
  const calls = new Map<number, { readonly name: string; arguments: string }>();
  for (const event of happened) collect(event, texts, calls);
  const error = happened.find((event) => event.type === 'error');
  return {
    text: joined([...texts].sort(([a], [b]) => a - b).map(([, text]) => text)),
    calls: [...calls].sort(([a], [b]) => a - b).map(([, call]) => call),
    ...(error !== undefined && { problem: error.error.message }),
  };
}

function collect(
  event: ChatEvent,
  texts: Map<number, string>,
  calls: Map<number, { readonly name: string; arguments: string }>,
): void {
  if (event.type === 'textDelta' || event.type === 'refusalDelta') {
    texts.set(event.index, (texts.get(event.index) ?? '') + event.text);
  } else if (event.type === 'toolCallStart') {
    calls.set(event.index, { name: event.name, arguments: '' });
  } else if (event.type === 'toolCallDelta') {
    const call = calls.get(event.index);
    if (call !== undefined) call.arguments += event.arguments;
  }
}

function readWhole(body: string, format: WireFormat): ReplayContent {
  try {
    const { parts } = format.decodeResponse(JSON.parse(body));
    return { text: joined(parts.flatMap(textsOf)), calls: parts.flatMap(callsOf) };
  } catch (error) {
    if (!(error instanceof FormatError) && !(error instanceof SyntaxError)) throw error;
    return { text: '', calls: [], problem: readErrorBody(body).message ?? error.message };
  }
}

function textsOf(part: AssistantPart): string[] {
  return part.type === 'text' || part.type === 'refusal' ? [part.text] : [];
}

function callsOf(part: AssistantPart) {
  return part.type === 'toolCall' ? [{ name: part.name, arguments: part.arguments }] : [];
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
