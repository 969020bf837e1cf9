/**
 * Another window of the editor, in a process of its own: it begins a run in a chat with each line that it reads, and
 * writes whether it may act.
 *
 *     node claimingWindow.ts FOLDER CHAT
 */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { RunClaims } from '../../src/agent/runClaims.ts';
import { ConversationStore } from '../../src/chat/conversation/conversationStore.ts';

const [folder = '', chat = ''] = process.argv.slice(2);
const store = new ConversationStore(folder);
const claims = new RunClaims(store);

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'look') say({ isFree: await claims.isFree(chat) });
  else {
    const id = line === 'begin' ? randomUUID() : line;
    await store.append(chat, [{ type: 'run', id, state: 'running' }]);
    const earlier = await claims.earlierClaim(chat);
    say({ id, acts: earlier === undefined });
  }
}

function say(word: unknown): void {
  process.stdout.write(`${JSON.stringify(word)}\n`);
}
