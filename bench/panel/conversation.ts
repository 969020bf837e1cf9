/** A conversation of about a hundred thousand tokens, and the pieces of an answer that streams. */
import type { ChatState, Turn } from '../../src/editor/chat/protocol.ts';
import { answer, BASE, MARKDOWN, user } from '../../src/panels/chat/gallery/samples.ts';

const PROSE = `The lease is taken before the first read and given back after the last write. Between the two no other
process may change the rows, so what was read still holds when it is written. When the lease runs out earlier, the write
fails with a conflict, and the caller begins again with what is there now. Nothing is lost, since nothing was kept.`;

const CODE = `\`\`\`ts lease.ts
export async function withLease<T>(name: string, work: (lease: Lease) => Promise<T>): Promise<T> {
  const lease = await acquire(name, { ms: 30_000 });
  try {
    return await work(lease); // fails with a conflict when the lease has run out
  } finally {
    await lease.release();
  }
}
\`\`\``;

/** English prose and code have about four characters a token. */
const CHARACTERS_PER_TOKEN = 4;

/** An answer of about two thousand tokens; no two are alike, so that nothing is shared between them. */
function longAnswer(number: number): string {
  const part = (index: number) =>
    [`## Part ${number}.${index}`, PROSE, CODE.replace('30_000', String(index)), MARKDOWN, PROSE].join('\n\n');
  return Array.from({ length: 3 }, (_, index) => part(index)).join('\n\n');
}

/** Questions and answers until there are `tokens`. */
export function longConversation(tokens: number): ChatState {
  const turns: Turn[] = [];
  for (let length = 0, index = 0; length < tokens * CHARACTERS_PER_TOKEN; index += 1) {
    const text = longAnswer(index);
    turns.push(user(`u${index}`, `And what about part ${index}?`), answer(`b${index}`, text));
    length += text.length;
  }
  return { ...BASE, conversationId: 'long', turns };
}

/** What a stream of `tokens` brings: four characters each, as a tokenizer would cut them. */
export function streamedText(tokens: number): string {
  let text = '';
  for (let index = 0; text.length < tokens * CHARACTERS_PER_TOKEN; index += 1) text += `${longAnswer(index)}\n\n`;
  return text.slice(0, tokens * CHARACTERS_PER_TOKEN);
}
