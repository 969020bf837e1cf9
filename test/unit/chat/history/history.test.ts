import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConversationStore } from '../../../../src/chat/conversation/conversationStore.ts';
import { groupRows, History } from '../../../../src/chat/history/history.ts';
import type { HistoryFilter } from '../../../../src/pages/chat/protocol.ts';
import { answered, header, question } from '../conversation/records.ts';

describe('the chat history', () => {
  let folder: string;
  let store: ConversationStore;
  let history: History;
  let unreadable: string[];

  beforeEach(async () => {
    unreadable = [];
    folder = await mkdtemp(join(tmpdir(), 'history-'));
    store = new ConversationStore(join(folder, 'conversations'));
    history = new History(store, join(folder, 'history.sqlite'), (id) => unreadable.push(id));
  });
  afterEach(async () => {
    history.close();
    await rm(folder, { recursive: true });
  });

  async function save(id: string, title: string, text: string, at: number): Promise<void> {
    await store.append(id, [
      header(id, title),
      question('q', title, { at }),
      ...answered('a', text, { at, cost: 0.5 }),
    ]);
  }

  const line = (record: unknown) => `${JSON.stringify(record)}\n`;

  async function titlesOf(query = ''): Promise<string[]> {
    return (await history.find(query, 10)).map(({ title }) => title);
  }

  it('lists conversations, latest first, with model, messages and cost', async () => {
    await save('a', 'Older', 'text', 1000);
    await save('b', 'Newer', 'text', 2000);
    assert.equal(await history.sync(), true);
    assert.deepEqual(await history.find('', 10), [
      { id: 'b', title: 'Newer', model: 'familya-sonnet-4.6', messages: 2, changedAt: 2000, cost: 0.5, pinned: false },
      { id: 'a', title: 'Older', model: 'familya-sonnet-4.6', messages: 2, changedAt: 1000, cost: 0.5, pinned: false },
    ]);
    assert.equal(await history.sync(), false);
  });

  it('reflects appended, renamed, pinned and deleted conversations from any window', async () => {
    await save('a', 'First', 'text', 1000);
    await save('b', 'Second', 'text', 2000);
    await history.sync();
    const other = new ConversationStore(store.folder);
    await other.append('a', [
      { type: 'title', title: 'Renamed' },
      { type: 'pinned', pinned: true },
    ]);
    await other.delete('b');
    await history.sync();
    const [row, ...rest] = await history.find('', 10);
    assert.equal(row?.title, 'Renamed');
    assert.equal(row?.pinned, true);
    assert.equal(row?.changedAt, 1000);
    assert.deepEqual(rest, []);
  });

  it('keeps a chat whose only turn was removed, with what it has cost', async () => {
    await save('a', 'Restored', 'text', 1000);
    await store.append('a', [
      { type: 'removed', id: 'q' },
      { type: 'removed', id: 'a' },
    ]);
    await history.sync();
    assert.deepEqual(
      (await history.find('', 10)).map(({ title, messages, cost }) => ({ title, messages, cost })),
      [{ title: 'Restored', messages: 0, cost: 0.5 }],
    );
  });

  it('is filtered by pinned, workspace and model, even during a search', async () => {
    const here = new ConversationStore(store.folder, 'file:///here');
    const narrowed = new History(here, join(folder, 'narrowed.sqlite'), assert.fail);
    const saved = (id: string, workspace: string, model: string, pinned: boolean) =>
      store.append(id, [
        { type: 'conversation', version: 1, id, at: 1, title: `Chat ${id}`, workspace },
        question('q', 'why?'),
        ...answered('a', 'because').map((record) => (record.type === 'answer' ? { ...record, model } : record)),
        { type: 'pinned', pinned },
      ]);
    await saved('a', 'file:///here', 'one', true);
    await saved('b', 'file:///here', 'two', false);
    await saved('c', 'file:///there', 'two', true);
    await narrowed.sync();
    const found = async (filter: HistoryFilter, query = '') =>
      (await narrowed.find(query, 10, filter)).map(({ id }) => id).sort();
    assert.deepEqual(await found({}), ['a', 'b', 'c']);
    assert.deepEqual(await found({ pinned: true }), ['a', 'c']);
    assert.deepEqual(await found({ workspace: true }), ['a', 'b']);
    assert.deepEqual(await found({ model: 'two' }), ['b', 'c']);
    assert.deepEqual(await found({ model: 'two', pinned: true }), ['c']);
    assert.deepEqual(await found({ workspace: true }, 'because'), ['a', 'b']);
    assert.deepEqual(await found({ pinned: true }, 'absent'), []);
    assert.deepEqual(narrowed.models, ['one', 'two']);
    // The workspace of a chat is not sent to the panel.
    const [row] = await narrowed.find('', 10);
    assert.equal(row !== undefined && 'workspace' in row, false);
    narrowed.close();
  });

  it('shows no workspace conversations in a window without a workspace', async () => {
    await save('a', 'Saved', 'text', 1000);
    await history.sync();
    assert.deepEqual(await history.find('', 10, { workspace: true }), []);
  });

  it('finds words in titles and text, ignoring case, and shows where', async () => {
    await save('a', 'About Parsers', 'nothing', 3000);
    await save('b', 'Other', 'It says that a PARSER of 100% is\nrare.', 2000);
    await save('c', 'Third', 'Überall', 1000);
    await history.sync();
    assert.deepEqual(await titlesOf('parser'), ['About Parsers', 'Other']);
    assert.deepEqual(await titlesOf('rare parser'), ['Other']);
    assert.deepEqual(await titlesOf('100%'), ['Other']);
    assert.deepEqual(await titlesOf('a_p'), []);
    assert.deepEqual(await titlesOf('überall'), ['Third']);
    assert.deepEqual(await titlesOf('absent'), []);
    const found = (await history.find('parser', 10)).at(-1);
    assert.deepEqual(found?.excerpt, ['Other It says that a ', 'PARSER', ' of 100% is rare.']);
  });

  it('lists the others if a file is damaged or is no chat', async () => {
    await save('a', 'First', 'text', 1000);
    await save('b', 'Second', 'text', 2000);
    await writeFile(
      join(store.folder, 'c.jsonl'),
      [{ ...header('c'), title: 5 }, question('q', 'x')].map(line).join(''),
    );
    await writeFile(join(store.folder, 'b (copy).jsonl'), line(header('d')));
    await mkdir(join(store.folder, 'folder.jsonl'));
    await writeFile(join(store.folder, 'e.jsonl'), Buffer.alloc(1000));
    await history.sync();
    assert.deepEqual(await titlesOf(), ['Second', 'First']);
    assert.deepEqual(unreadable, ['c']);
    assert.equal(await history.sync(), false);
  });

  it('is rebuilt from the files if the index is damaged, or on request', async () => {
    await save('a', 'Kept', 'text', 1000);
    await history.sync();
    history.close();
    await writeFile(join(folder, 'history.sqlite'), 'no database at all, but some text that is long enough to be read');
    await history.sync();
    assert.deepEqual(await titlesOf(), ['Kept']);
    assert.equal(await history.rebuild(), 1);
    assert.deepEqual(await titlesOf('kept'), ['Kept']);
  });

  it('skips files without a conversation', async () => {
    await store.append('half', [question('q', 'no header')]);
    await store.append('empty', [header('empty')]);
    await history.sync();
    assert.deepEqual(await titlesOf(), []);
    assert.equal(await history.sync(), false);
  });
});

describe('the groups of the chat history', () => {
  const NOW = new Date(2026, 0, 15, 10, 42).getTime();
  const row = (id: string, changedAt: number, pinned = false, cost?: number) => ({
    id,
    title: id,
    messages: 2,
    changedAt,
    pinned,
    ...(cost !== undefined && { cost }),
  });

  it('follow the calendar, with pinned chats first', () => {
    const rows = [
      row('morning', new Date(2026, 0, 15, 0, 1).getTime(), false, 0.1),
      row('noon', new Date(2026, 0, 15, 9, 0).getTime(), false, 0.2),
      row('late', new Date(2026, 0, 14, 23, 59).getTime()),
      row('week', new Date(2026, 0, 9).getTime()),
      row('month', new Date(2025, 11, 20).getTime(), true, 1),
      row('old', new Date(2025, 10, 2).getTime()),
    ];
    assert.deepEqual(
      groupRows(rows, NOW, 10).map(({ title, cost, rows: members }) => [title, cost, members.map(({ id }) => id)]),
      [
        ['Pinned', 1, ['month']],
        ['Today', 0.30000000000000004, ['morning', 'noon']],
        ['Yesterday', undefined, ['late']],
        ['Last 7 days', undefined, ['week']],
        ['November 2025', undefined, ['old']],
      ],
    );
  });

  it('contain as many rows as requested, and the cost of all', () => {
    const rows = [row('a', NOW, false, 1), row('b', NOW, false, 2), row('c', NOW - 3 * 86_400_000, false, 4)];
    assert.deepEqual(groupRows(rows, NOW, 1), [{ title: 'Today', cost: 3, rows: [rows[0]] }]);
  });
});
