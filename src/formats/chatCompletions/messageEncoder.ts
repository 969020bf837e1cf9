/** Encodes messages of the neutral form. */
import type {
  AssistantPart,
  DocumentPart,
  ImagePart,
  Message,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../conversation.ts';
import { inOrder, type TurnRules } from '../orderedTurns.ts';
import { encodeContent } from './content.ts';
import type { WireAnswer, WirePart } from './contentSchema.ts';
import { encodeReasoningParts } from './reasoning.ts';
import type { WireMessage } from './schema.ts';
import { encodeToolCall } from './tools.ts';

export const TURNS: TurnRules = {
  refusesBlankText: false,
  endsWithReasoning: true,
  startsWithUser: false,
  maxIdLength: 40,
};

export function encodeMessages(system: readonly TextPart[], messages: readonly Message[]): WireMessage[] {
  const head: WireMessage[] = system.length > 0 ? [{ role: 'system', content: encodeContent(system) }] : [];
  return [...head, ...withJoinedUsers(inOrder(messages, TURNS).flatMap(encodeMessage))];
}

/** Media of results are a message of the user, which another one may follow. */
function withJoinedUsers(messages: readonly WireMessage[]): WireMessage[] {
  const joined: WireMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== 'user' || message.role !== 'user') joined.push(message);
    else joined[joined.length - 1] = { role: 'user', content: [...partsOf(last), ...partsOf(message)] };
  }
  return joined;
}

function partsOf({ content }: Extract<WireMessage, { role: 'user' }>): WirePart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [...(content ?? [])];
}

function encodeMessage(message: Message): WireMessage[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [{ role: message.role, content: encodeContent(message.parts) }];
    case 'assistant':
      return [{ role: 'assistant', content: assistantContent(message.parts), ...encodeAnswerRest(message.parts) }];
    case 'tool':
      return encodeResults(message.parts);
  }
}

function assistantContent(parts: readonly AssistantPart[]): WireAnswer['content'] {
  const texts = parts.filter((part) => part.type === 'text');
  if (texts.length > 0) return encodeContent(texts);
  return parts.some(({ type }) => type === 'toolCall' || type === 'refusal') ? null : '';
}

/** Encodes everything in an assistant message except its text. */
export function encodeAnswerRest(parts: readonly AssistantPart[]): Omit<WireAnswer, 'content'> {
  const refusals = parts.filter((part) => part.type === 'refusal');
  const calls = parts.filter((part) => part.type === 'toolCall');
  return {
    ...(refusals.length > 0 && { refusal: refusals.map(({ text }) => text).join('') }),
    ...encodeReasoningParts(parts.filter((part) => part.type === 'reasoning')),
    ...(calls.length > 0 && { tool_calls: calls.map(encodeToolCall) }),
  };
}

/**
 * Encodes one `tool` message per result, then one `user` message with everything that the role `tool` does not support:
 * every server accepts text from a tool, but few accept images. All results come first, because they must directly
 * follow their calls.
 */
function encodeResults(results: readonly ToolResultPart[]): WireMessage[] {
  const media = results.flatMap(encodeResultMedia);
  const answers = results.map((result): WireMessage => {
    const texts = result.content.filter(isTextual);
    const content = texts.length < result.content.length && texts.length === 0 ? MEDIA_FOLLOWS : encodeContent(texts);
    return { role: 'tool', tool_call_id: result.toolCallId, content };
  });
  return media.length > 0 ? [...answers, { role: 'user', content: encodeContent(media) }] : answers;
}

const MEDIA_FOLLOWS = 'The result is attached to the next message.';

function encodeResultMedia({ toolCallId, content }: ToolResultPart): UserPart[] {
  const media = content.filter((part): part is ImagePart | DocumentPart => !isTextual(part));
  return media.length > 0 ? [{ type: 'text', text: `From the result of tool call ${toolCallId}:` }, ...media] : [];
}

function isTextual(part: UserPart): boolean {
  return part.type === 'text' || (part.type === 'document' && part.source.kind === 'text');
}
