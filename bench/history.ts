/**
 * Compares the history of thousands of conversations with reading all their files: the time until the list is shown,
 * and the time of a search. `node bench/history.ts [COUNT]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConversationStore } from '../src/chat/conversation/conversationStore.ts';
import { History } from '../src/chat/history/history.ts';

const COUNT = Number(process.argv[2] ?? 5000);
const TURNS = 8;
const ANSWER = 'The parser reads one line after the other, and what it does not know it passes over. '.repeat(20);

const folder = await mkdtemp(join(tmpdir(), 'bench-history-'));
const store = new ConversationStore(join(folder, 'conversations'));
const path = join(folder, 'history.sqlite');

for (let index = 0; index < COUNT; index += 1) await write(`c${index}`, index);
const all = await timed('read all files', readAll);
const history = new History(store, path, (id) => console.error(`${id} cannot be read`));
await timed('make the index', () => history.sync(), all);
history.close();
await timed('open the list', () => history.find('', 100), all);
await timed('look for changes', () => history.sync(), all);
await timed('search for what is there once', () => history.find('needle 4321', 100), all);
await timed('search for what is in all', () => history.find('parser', 100), all);
await timed('search for what is in none', () => history.find('absent', 100), all);
history.close();
await rm(folder, { recursive: true });

async function write(id: string, index: number): Promise<void> {
  const title = `Conversation ${index}`;
  const turns = Array.from({ length: TURNS / 2 }, (_, turn) => [
    {
      type: 'question',
      id: `q${turn}`,
      at: index,
      text: `needle ${index}, question ${turn}`,
      attachments: [],
    } as const,
    { type: 'answer', id: `a${turn}`, at: index, model: 'model', format: 'messages', sandbox: false } as const,
    { type: 'delta', id: `a${turn}`, text: ANSWER } as const,
    { type: 'answerEnd', id: `a${turn}`, status: 'complete' } as const,
  ]);
  await store.append(id, [{ type: 'conversation', version: 1, id, at: index, title }, ...turns.flat()]);
}

async function readAll(): Promise<void> {
  for (const { id } of await store.stamps()) await store.read(id);
}

async function timed(what: string, work: () => Promise<unknown>, baseline?: number): Promise<number> {
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  const ratio = baseline === undefined ? '' : `, ${(ms / baseline).toFixed(3)} of reading all`;
  console.log(`${what}: ${ms.toFixed(0)} ms${ratio}`);
  return ms;
}
