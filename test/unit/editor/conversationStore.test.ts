import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConversationRecord } from '../../../src/editor/chat/conversation.ts';
import { ConversationStore } from '../../../src/editor/chat/conversationStore.ts';

const header = (id: string, title = 'A title'): ConversationRecord => ({
  type: 'conversation',
  version: 1,
  id,
  at: 1,
  title,
});
const question = (id: string, text: string): ConversationRecord => ({
  type: 'question',
  id,
  at: 1,
  text,
  attachments: [],
});

describe('the conversation store', () => {
  let folder: string;
  let store: ConversationStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conversations-'));
    store = new ConversationStore(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reads back what was appended, in the order of the calls', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `question ${index}`);
    await Promise.all([
      store.append('c', [header('c')]),
      ...texts.map((text, index) => store.append('c', [question(`q${index}`, text)])),
    ]);
    const conversation = await store.read('c');
    assert.deepEqual(
      conversation?.entries.map((entry) => entry.text),
      texts,
    );
  });

  it('only ever appends', async () => {
    await store.append('c', [header('c'), question('q', 'first')]);
    const before = await readFile(join(folder, 'c.jsonl'), 'utf8');
    await store.append('c', [question('r', 'second')]);
    const after = await readFile(join(folder, 'c.jsonl'), 'utf8');
    assert.ok(after.startsWith(before));
  });

  it('passes over a torn last line and lines it does not know', async () => {
    await store.append('c', [header('c'), question('q', 'kept')]);
    await appendFile(join(folder, 'c.jsonl'), '{"type":"fromTheFuture"}\nnull\n{"type":"question","id":"r","te');
    const conversation = await store.read('c');
    assert.deepEqual(
      conversation?.entries.map((entry) => entry.text),
      ['kept'],
    );
  });

  it('has no conversation that was never written', async () => {
    assert.equal(await store.read('nothing'), undefined);
    assert.deepEqual(await store.list(), []);
  });

  it('lists conversations by title, without files that are none', async () => {
    await store.append('a', [header('a', 'About parsers'), question('q', 'About parsers')]);
    await appendFile(join(folder, 'b.jsonl'), 'not a record\n');
    assert.deepEqual(
      (await store.list()).map(({ id, title }) => ({ id, title })),
      [{ id: 'a', title: 'About parsers' }],
    );
  });

  it('finds the title of a conversation whose first question is very long', async () => {
    const long = `Long question\n${'x'.repeat(100_000)}`;
    await store.append('a', [header('a', 'Long question'), question('q', long)]);
    assert.equal((await store.list())[0]?.title, 'Long question');
  });

  it('refuses an id that would leave its folder', async () => {
    await assert.rejects(store.read('../outside'), /Not the id of a conversation/);
  });
});
