import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ConversationStore } from '../../../src/chat/conversation/conversationStore.ts';

const WINDOW = fileURLToPath(new URL('../../support/claimingWindow.ts', import.meta.url));
const ROUNDS = 20;

interface Claimed {
  readonly id: string;
  readonly acts: boolean;
}

/** A window of the editor in a process of its own. */
class Window {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(folder: string, chat: string) {
    this.#process = spawn(process.execPath, [WINDOW, folder, chat]);
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  async ask<Answer>(line: string): Promise<Answer> {
    this.#process.stdin.write(`${line}\n`);
    return JSON.parse((await this.#lines.next()).value);
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.stdin.end();
    await ended;
  }
}

describe('windows that begin a run in the same chat', () => {
  let folder: string;
  let store: ConversationStore;
  let windows: readonly Window[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claims-'));
    store = new ConversationStore(folder);
    windows = ['', ''].map(() => new Window(folder, 'c'));
  });
  afterEach(async () => {
    await Promise.all(windows.map((window) => window.close()));
    await rm(folder, { recursive: true });
  });

  const all = <Answer>(line: string) => Promise.all(windows.map((window) => window.ask<Answer>(line)));

  it('act in one window if they begin at the same moment: in that whose record is the first', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      assert.deepEqual(await all('look'), [{ isFree: true }, { isFree: true }]);
      const claimed = await all<Claimed>('begin');
      const acting = claimed.filter(({ acts }) => acts).map(({ id }) => id);
      const written = (await store.readFrom('c', 0))?.records.flatMap(({ record }) =>
        record.type === 'run' && claimed.some(({ id }) => id === record.id) ? [record.id] : [],
      );
      assert.deepEqual(acting, written?.slice(0, 1));
      await store.append(
        'c',
        claimed.map(({ id }) => ({ type: 'run', id, state: 'done' })),
      );
    }
  });

  it('act in one window if both continue the same run', async () => {
    await all('look');
    const claimed = await all<Claimed>('the-run');
    assert.deepEqual(claimed.map(({ acts }) => acts).sort(), [false, true]);
    assert.deepEqual(await all('look'), [{ isFree: false }, { isFree: false }]);
  });

  it('act again after the run of the other window has ended', async () => {
    const [one, other] = windows;
    assert.ok(one && other);
    await all('look');
    const { id } = await one.ask<Claimed>('begin');
    await store.append('c', [{ type: 'run', id, state: 'stopped' }]);
    assert.deepEqual(await other.ask('look'), { isFree: true });
    assert.equal((await other.ask<Claimed>('begin')).acts, true);
  });
});
