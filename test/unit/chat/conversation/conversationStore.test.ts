import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConversationStore } from '../../../../src/chat/conversation/conversationStore.ts';
import { header, question } from './records.ts';

describe('the conversation store', () => {
  let folder: string;
  let store: ConversationStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conversations-'));
    store = new ConversationStore(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function textsOf(id: string): Promise<string[] | undefined> {
    const stored = await store.read(id);
    return stored?.conversation.entries.map(({ text }) => text);
  }

  it('reads back the appended records in the order of the calls', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `question ${index}`);
    await Promise.all([
      store.append('c', [header('c')]),
      ...texts.map((text, index) => store.append('c', [question(`q${index}`, text)])),
    ]);
    assert.deepEqual(await textsOf('c'), texts);
  });

  it('only appends', async () => {
    await store.append('c', [header('c'), question('q', 'first')]);
    const before = await readFile(join(folder, 'c.jsonl'), 'utf8');
    await store.append('c', [question('r', 'second')]);
    const after = await readFile(join(folder, 'c.jsonl'), 'utf8');
    assert.ok(after.startsWith(before));
  });

  it('loses nothing when two windows append to one conversation at the same time', async () => {
    const other = new ConversationStore(folder);
    await store.append('c', [header('c')]);
    const ids = Array.from({ length: 60 }, (_, index) => `q${index}`);
    await Promise.all(
      ids.map((id, index) => (index % 2 === 0 ? store : other).append('c', [question(id, 'x'.repeat(9000))])),
    );
    const stored = await store.read('c');
    assert.deepEqual(stored?.conversation.all.map(({ id }) => id).sort(), ids.sort());
  });

  it('skips a truncated last line and unknown records', async () => {
    await store.append('c', [header('c'), question('q', 'kept')]);
    await appendFile(join(folder, 'c.jsonl'), '{"type":"fromTheFuture"}\nnull\n{"type":"question","id":"r","te');
    assert.deepEqual(await textsOf('c'), ['kept']);
  });

  it('reports once how many lines of a file are damaged', async () => {
    const problems: string[] = [];
    const reporting = new ConversationStore(folder, undefined, (message) => problems.push(message));
    await reporting.append('c', [header('c'), question('q', 'kept')]);
    await appendFile(join(folder, 'c.jsonl'), '{"type":"fromTheFuture"}\n{"type":"question","id":"r","te\n\0\0\n');
    await reporting.append('c', [question('s', 'more')]);
    for (let time = 0; time < 2; time += 1) {
      const stored = await reporting.read('c');
      assert.deepEqual(
        stored?.conversation.entries.map(({ text }) => text),
        ['kept', 'more'],
      );
    }
    assert.deepEqual(problems, [`Skipped lines of ${join(folder, 'c.jsonl')}: 2 damaged.`]);
  });

  it('resumes reading at its last position, even after a partial line', async () => {
    await store.append('c', [header('c'), question('q', 'first')]);
    const line = `${JSON.stringify(question('r', 'zweité'))}\n`;
    await appendFile(join(folder, 'c.jsonl'), line.slice(0, 20));
    const first = await store.readFrom('c', 0);
    assert.equal(first?.records.length, 2);
    await appendFile(join(folder, 'c.jsonl'), line.slice(20));
    const second = await store.readFrom('c', first?.end ?? 0);
    assert.deepEqual(second?.records, [{ record: question('r', 'zweité') }]);
  });

  it('has no conversation that was never written', async () => {
    assert.equal(await store.read('nothing'), undefined);
    assert.deepEqual(await store.stamps(), []);
  });

  it('lists the files of conversations with their size', async () => {
    await store.append('a', [header('a')]);
    await appendFile(join(folder, 'index.sqlite'), 'something else');
    const stamps = await store.stamps();
    const { length } = await readFile(join(folder, 'a.jsonl'));
    assert.deepEqual(
      stamps.map(({ id, bytes }) => ({ id, bytes })),
      [{ id: 'a', bytes: length }],
    );
  });

  it('restores a deleted conversation until it is purged', async () => {
    await store.append('c', [header('c'), question('q', 'kept')]);
    await store.delete('c');
    assert.equal(await store.read('c'), undefined);
    await store.restore('c');
    assert.deepEqual(await textsOf('c'), ['kept']);
    await store.delete('c');
    await store.purge({ olderThanMs: 60_000 });
    await store.restore('c');
    await store.delete('c');
    await store.purge('c');
    await assert.rejects(store.restore('c'));
  });

  it('rejects an id that would leave its folder', async () => {
    await assert.rejects(store.read('../outside'), /Not the id of a conversation/);
  });
});
