/** A conversation of about 100,000 tokens, and the pieces of a streaming answer. */
import type { ChatState, ChatTurn } from '../../src/pages/chat/protocol.ts';
import { answer, BASE, MARKDOWN, user } from '../../test/gallery/chat/samples.ts';

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

/** English prose and code have about four characters per token. */
const CHARACTERS_PER_TOKEN = 4;

/** Returns an answer of about two thousand tokens. No two are alike, so that nothing is shared between them. */
function longAnswer(number: number): string {
  const part = (index: number) =>
    [`## Part ${number}.${index}`, PROSE, CODE.replace('30_000', String(index)), MARKDOWN, PROSE].join('\n\n');
  return Array.from({ length: 3 }, (_, index) => part(index)).join('\n\n');
}

/** Returns questions and answers with this number of tokens in total. */
export function longConversation(tokens: number): ChatState {
  const turns: ChatTurn[] = [];
  for (let length = 0, index = 0; length < tokens * CHARACTERS_PER_TOKEN; index += 1) {
    const text = longAnswer(index);
    turns.push(user(`u${index}`, `And what about part ${index}?`), answer(`b${index}`, text));
    length += text.length;
  }
  return { ...BASE, conversationId: 'long', turns };
}

/** Returns a streamed text of `tokens`, with four characters each, like the pieces of a tokenizer. */
export function streamedText(tokens: number): string {
  let text = '';
  for (let index = 0; text.length < tokens * CHARACTERS_PER_TOKEN; index += 1) text += `${longAnswer(index)}\n\n`;
  return text.slice(0, tokens * CHARACTERS_PER_TOKEN);
}
