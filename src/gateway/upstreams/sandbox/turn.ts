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
const USER_REQUEST = /<userRequest>\s*([\s\S]*?)\s*<\/userRequest>/;

/**
 * The last text of a user message that a person wrote. Coding agents send further texts wrapped in tags beside it
 * (reminders, the environment), which are not the question.
 */
function wordsOf(message: Message): string | undefined {
  if (message.role !== 'user') return undefined;
  const texts = message.parts.flatMap((part) =>
    part.type === 'text' ? [USER_REQUEST.exec(part.text)?.[1] ?? part.text] : [],
  );
  return texts.findLast((text) => text.trim() !== '' && !/^\s*<[\w-]+[\s>]/.test(text))?.trimStart();
}

function toolCallsOf(message: Message): readonly Extract<AssistantPart, { type: 'toolCall' }>[] {
  return message.role === 'assistant' ? message.parts.filter((part) => part.type === 'toolCall') : [];
}
