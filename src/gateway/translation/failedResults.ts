import type { ChatRequest, Message, ToolResultPart } from '../../formats/conversation.ts';

const MARK = { type: 'text', text: 'The tool failed:' } as const;

/** Marks failed tool results in their text, for upstreams whose format has no field for it. */
export function withMarkedFailures(request: ChatRequest): ChatRequest {
  return { ...request, messages: request.messages.map(markedIn) };
}

function markedIn(message: Message): Message {
  return message.role === 'tool' ? { ...message, parts: message.parts.map(marked) } : message;
}

function marked(part: ToolResultPart): ToolResultPart {
  if (part.isError !== true) return part;
  const [first, ...rest] = part.content;
  const { isError: _, ...result } = part;
  if (first?.type !== 'text') return { ...result, content: [MARK, ...part.content] };
  return { ...result, content: [{ ...first, text: `${MARK.text}\n${first.text}` }, ...rest] };
}
