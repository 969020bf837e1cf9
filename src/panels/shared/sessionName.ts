import { dayOf, formatDay } from '../../display/day.ts';

interface NamedSession {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly conversationId: string;
}

/** The title of a chat, or the tool with the session's start. @param titles of chats, by their ids. */
export function sessionName(
  { at, conversationId }: NamedSession,
  { titles, tool }: { readonly titles: Readonly<Record<string, string>>; readonly tool: string },
): string {
  const start = new Date(at);
  const time = [start.getHours(), start.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  return titles[conversationId] ?? `${tool} · ${formatDay(dayOf(at))} ${time}`;
}
