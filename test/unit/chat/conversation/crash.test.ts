import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AnswerWriter } from '../../../../src/chat/answers/answerWriter.ts';
import { ConversationStore } from '../../../../src/chat/conversation/conversationStore.ts';
import type { ConversationRecord } from '../../../../src/chat/conversation/record.ts';
import { type Heard, wordAt } from '../../../support/talkingWriter.ts';
import { question } from './records.ts';

const WRITER = fileURLToPath(new URL('../../../support/talkingWriter.ts', import.meta.url));
/** How often an answer is written to its file, in milliseconds. */
const FILE_MS = 200;

describe('a crash during an answer', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conversations-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /**
   * Kills a process that writes an answer once this number of words has arrived.
   * @returns everything that it has received.
   */
  async function killedAfter(words: number): Promise<readonly Heard[]> {
    const child = spawn(process.execPath, [WRITER, folder, 'c'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const heard: Heard[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      heard.push(JSON.parse(line));
      if (heard.length === words) child.kill('SIGKILL');
    }
    const [, signal] = await ended;
    assert.equal(signal, 'SIGKILL');
    return heard;
  }

  it('loses nothing that was written, and leaves a readable file with a stopped answer', async () => {
    const heard = await killedAfter(300);
    const conversation = (await new ConversationStore(folder).read('c'))?.conversation;
    const answer = conversation?.answer('a');
    assert.equal(answer?.status, 'stopped');
    const kept = answer.text.trimEnd().split(' ').length;
    assert.equal(answer.text, Array.from({ length: kept }, (_, index) => wordAt(index)).join(''));
    const { written = 0 } = heard.at(-1) ?? {};
    assert.ok(written > 0, 'something was written before the crash');
    assert.ok(kept >= written, `${kept} of ${written} words`);
  });

  it('leaves complete lines', async () => {
    await killedAfter(100);
    const lines = (await readFile(join(folder, 'c.jsonl'), 'utf8')).split('\n');
    assert.equal(lines.pop(), '');
    for (const line of lines) assert.equal(typeof JSON.parse(line).type, 'string');
  });

  it('loses no later records, even after a truncated line', async () => {
    const before = new ConversationStore(folder);
    await before.append('c', [question('q', 'Why?')]);
    await appendFile(join(folder, 'c.jsonl'), '{"type":"delta","id":"a","te');
    const store = new ConversationStore(folder);
    await store.append('c', [question('q2', 'And then?', { parent: 'q' })]);
    await store.append('c', [question('q3', 'And now?', { parent: 'q2' })]);
    const entries = (await store.read('c'))?.conversation.entries ?? [];
    assert.deepEqual(
      entries.map(({ id }) => id),
      ['q', 'q2', 'q3'],
    );
  });
});

describe('the writer of an answer', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('holds no text back for more than 200 ms', () => {
    const written: ConversationRecord[] = [];
    const writer = new AnswerWriter('a', { toPanel: () => undefined, toFile: (record) => written.push(record) });
    const textIn = () => written.map((record) => (record.type === 'delta' ? record.text : '')).join('');
    writer.write({ text: 'one ' });
    mock.timers.tick(FILE_MS - 1);
    writer.write({ text: 'two ' });
    assert.equal(textIn(), '');
    mock.timers.tick(1);
    assert.equal(textIn(), 'one two ');
    writer.write({ text: 'three' });
    mock.timers.tick(FILE_MS);
    assert.equal(textIn(), 'one two three');
  });
});
