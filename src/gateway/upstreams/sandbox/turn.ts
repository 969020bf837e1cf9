import type { AssistantPart, ChatRequest, Message, ToolResultPart } from '../../../formats/conversation.ts';

/** What the person asked last, and what has happened since. */
export interface Turn {
  /** Empty when the person said nothing in words. */
  readonly question: string;
  /** Names of the tools that were called since. */
  readonly called: readonly string[];
  readonly results: readonly ToolResultPart[];
}

export function readTurn({ messages }: ChatRequest): Turn {
  const asked = messages.findLastIndex((message) => wordsOf(message) !== undefined);
  const since = messages.slice(asked + 1);
  const spoken = messages[asked];
  return {
    question: (spoken && wordsOf(spoken)) ?? '',
    called: since.flatMap(toolCallsOf).map((call) => call.name),
    results: since.flatMap((message) => (message.role === 'tool' ? message.parts : [])),
  };
}

/** In this tag the editor's own agent mode wraps the person's words, among others with the context. */
const USER_REQUEST = { opening: '<userRequest>', closing: '</userRequest>' };

/**
 * The last text of a user message that a person wrote. Coding agents send further texts wrapped in tags beside it
 * (reminders, the environment), which are not the question.
 */
function wordsOf(message: Message): string | undefined {
  if (message.role !== 'user') return undefined;
  const texts = message.parts.flatMap((part) => (part.type === 'text' ? [requestIn(part.text) ?? part.text] : []));
  return texts.findLast((text) => text.trim() !== '' && !/^\s*<[\w-]+[\s>]/.test(text))?.trimStart();
}

function requestIn(text: string): string | undefined {
  const opening = text.indexOf(USER_REQUEST.opening);
  const start = opening + USER_REQUEST.opening.length;
  const end = opening === -1 ? -1 : text.indexOf(USER_REQUEST.closing, start);
  return end === -1 ? undefined : text.slice(start, end).trim();
}

function toolCallsOf(message: Message): readonly Extract<AssistantPart, { type: 'toolCall' }>[] {
  return message.role === 'assistant' ? message.parts.filter((part) => part.type === 'toolCall') : [];
}
