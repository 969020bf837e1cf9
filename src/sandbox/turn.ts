import type { AssistantPart, ChatRequest, Message, ToolResultPart } from '../formats/conversation.ts';

/** The user's last question, and what has happened since. */
export interface SandboxTurn {
  /** Empty if the user has written no text. */
  readonly question: string;
  /** Names of the tools called since then. */
  readonly called: readonly string[];
  readonly results: readonly ToolResultPart[];
}

export function readTurn({ messages }: ChatRequest): SandboxTurn {
  const asked = messages.findLastIndex((message) => wordsOf(message) !== undefined);
  const since = messages.slice(asked + 1);
  const question = messages[asked];
  return {
    question: (question && wordsOf(question)) ?? '',
    called: since.flatMap(toolCallsOf).map((call) => call.name),
    results: since.flatMap((message) => (message.role === 'tool' ? message.parts : [])),
  };
}

/** The editor's own agent mode wraps the user's text in this tag, among others with context. */
const USER_REQUEST = { opening: '<userRequest>', closing: '</userRequest>' };

/**
 * Returns the last text in a user message that the user has written. Coding agents add other texts wrapped in tags
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

export function textOf({ content }: ToolResultPart): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
