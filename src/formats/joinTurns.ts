import type { Message } from './conversation.ts';

/** Joins adjacent messages of one role, for the given roles. */
export function joinTurns(messages: readonly Message[], isJoined: (role: Message['role']) => boolean): Message[] {
  const turns: Message[][] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last?.[0]?.role === message.role && isJoined(message.role)) last.push(message);
    else turns.push([message]);
  }
  return turns.flatMap(joined);
}

/** Joins messages of one role. */
function joined(turn: readonly Message[]): Message[] {
  const [first] = turn;
  if (first === undefined || turn.length === 1) return [...turn];
  return [{ ...first, parts: turn.flatMap(({ parts }) => [...parts]) } as Message];
}
