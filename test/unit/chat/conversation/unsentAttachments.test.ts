import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attachment } from '../../../../src/chat/conversation/record.ts';
import { UnsentAttachments } from '../../../../src/chat/conversation/unsentAttachments.ts';

const FILE: Attachment = {
  id: 'a',
  kind: 'file',
  label: 'a.ts',
  path: 'src/a.ts',
  languageId: 'typescript',
  text: 'a',
};

const WORKSPACE = 'file:///work';
const MONTH_MS = 31 * 24 * 60 * 60_000;

function image(letter: string): Attachment {
  const file = `${letter.repeat(64)}.png`;
  return { ...FILE, id: letter, kind: 'image', text: '', image: { file, mediaType: 'image/png' } };
}

const bytesOf = (file: string) => Buffer.from(`bytes of ${file}`).toString('base64');

describe('unsent attachments', () => {
  let folder: string;
  /** The processes of the open windows. */
  let running: Set<number>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unsent-'));
    running = new Set();
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Opens a window, which exists until it is closed. */
  function opened(writer: string, workspace: string | null = WORKSPACE): UnsentAttachments {
    const pid = Number.parseInt(writer, 36);
    running.add(pid);
    const owner = { writer, pid, workspace: workspace ?? undefined };
    return new UnsentAttachments(folder, owner, { isRunning: (id) => running.has(id), patienceMs: 150 });
  }

  function close(writer: string): void {
    running.delete(Number.parseInt(writer, 36));
  }

  async function labels(window: UnsentAttachments, remembered?: string): Promise<string[]> {
    return (await window.claim('c', remembered)).attachments.map(({ id }) => id);
  }

  it('are those of a conversation while the window shows others', async () => {
    const window = opened('one');
    await window.save('c', [FILE, image('b')], bytesOf);
    await window.save('d', [image('e')], bytesOf);
    assert.deepEqual((await window.own('c')).attachments, [FILE, image('b')]);
    const file = `${'e'.repeat(64)}.png`;
    assert.deepEqual(await window.own('d'), { attachments: [image('e')], images: new Map([[file, bytesOf(file)]]) });
    await window.save('c', [], bytesOf);
    assert.deepEqual((await window.own('c')).attachments, []);
  });

  it('are restored after a reload with their texts and image data', async () => {
    await opened('one').save('c', [FILE, image('b')], bytesOf);
    close('one');
    const { attachments, images } = await opened('two').claim('c', 'one');
    assert.deepEqual(attachments, [FILE, image('b')]);
    const file = `${'b'.repeat(64)}.png`;
    assert.deepEqual([...images], [[file, bytesOf(file)]]);
    close('two');
    assert.deepEqual(await labels(opened('three'), 'two'), ['a', 'b']);
    assert.deepEqual(await readdir(join(folder, 'c')), ['three']);
  });

  it('belong to one conversation only', async () => {
    await opened('one').save('c', [FILE], bytesOf);
    close('one');
    assert.deepEqual((await opened('two').claim('other', 'one')).attachments, []);
  });

  it('leave no files behind when they are sent or removed, including images', async () => {
    const window = opened('one');
    await window.save('c', [FILE, image('b'), image('d')], bytesOf);
    await window.save('c', [FILE, image('d')], bytesOf);
    assert.deepEqual((await readdir(join(folder, 'c', 'one'))).sort(), ['attachments.json', `${'d'.repeat(64)}.png`]);
    await window.save('c', [], bytesOf);
    assert.deepEqual(await readdir(folder), []);
    close('one');
    assert.deepEqual(await labels(opened('two'), 'one'), []);
  });

  it('stay with their window if two windows show one conversation', async () => {
    const [one, two] = [opened('one'), opened('two', 'file:///elsewhere')];
    await one.save('c', [FILE], bytesOf);
    await two.save('c', [image('b')], bytesOf);
    await two.save('c', [], bytesOf);
    close('one');
    assert.deepEqual(await labels(opened('one2'), 'one'), ['a']);
  });

  it('are not restored in another workspace, whether their window is open or closed', async () => {
    await opened('one').save('c', [FILE], bytesOf);
    assert.deepEqual(await labels(opened('two', 'file:///elsewhere')), []);
    close('one');
    assert.deepEqual(await labels(opened('three', 'file:///elsewhere')), []);
    assert.deepEqual(await labels(opened('four', null)), []);
    assert.deepEqual(await labels(opened('five'), 'one'), ['a']);
  });

  it('are restored in the workspace even if its state did not save the window', async () => {
    await opened('one').save('c', [FILE], bytesOf);
    close('one');
    assert.deepEqual(await labels(opened('two')), ['a']);
  });

  it('are those of the reloaded window if two windows share the workspace state', async () => {
    await opened('one').save('c', [FILE], bytesOf);
    await opened('two').save('c', [image('b')], bytesOf);
    close('one');
    assert.deepEqual(await labels(opened('one2'), 'two'), ['a']);
  });

  it('are copied if the host of a crashed page is still running, and belong to it once it changes them', async () => {
    const host = opened('one');
    await host.save('c', [FILE], bytesOf);
    const next = opened('two');
    assert.deepEqual(await labels(next, 'one'), ['a']);
    await next.save('c', [], bytesOf);
    assert.deepEqual(await labels(opened('three'), 'one'), []);
    await host.save('c', [FILE, image('b')], bytesOf);
    close('one');
    assert.deepEqual(await labels(opened('four'), 'one'), ['a', 'b']);
  });

  it('are those of a host that takes a moment to exit, whatever other windows left', async () => {
    await opened('old').save('c', [image('b')], bytesOf);
    close('old');
    await opened('one').save('c', [FILE], bytesOf);
    const pid = Number.parseInt('one', 36);
    let looks = 0;
    const endsSoon = (id: number) => {
      if (id === pid) looks += 1;
      return id === pid && looks < 3;
    };
    const owner = { writer: 'two', pid: 1, workspace: WORKSPACE };
    const next = new UnsentAttachments(folder, owner, { isRunning: endsSoon, patienceMs: 60_000 });
    assert.deepEqual(await labels(next, 'one'), ['a']);
    assert.equal(looks, 3);
  });

  it('are removed once they were copied and their host has exited', async () => {
    await opened('one').save('c', [FILE], bytesOf);
    const next = opened('two');
    await next.claim('c', 'one');
    await next.purge(Date.now());
    assert.deepEqual((await readdir(join(folder, 'c'))).sort(), ['one', 'two']);
    close('one');
    await next.purge(Date.now());
    assert.deepEqual(await readdir(join(folder, 'c')), ['two']);
  });

  it('are removed after a month without use', async () => {
    const window = opened('one');
    await window.save('old', [FILE], bytesOf);
    await window.save('new', [FILE], bytesOf);
    const longAgo = new Date(Date.now() - MONTH_MS);
    await utimes(join(folder, 'old', 'one'), longAgo, longAgo);
    await window.purge(Date.now());
    assert.deepEqual(await readdir(folder), ['new']);
  });

  it('are stored in their folder only, whatever the stored id', async () => {
    await assert.rejects(opened('one').save('../elsewhere', [FILE], bytesOf), /Not the id/);
    await assert.rejects(stat(join(folder, '..', 'elsewhere')));
  });
});
