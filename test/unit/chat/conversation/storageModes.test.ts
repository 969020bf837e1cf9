import assert from 'node:assert/strict';
import { chmod, lstat, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../../../scripts/lib/temporaryFolder.ts';
import { attachImage } from '../../../../src/chat/context/image.ts';
import { ConversationImages } from '../../../../src/chat/conversation/conversationImages.ts';
import { ConversationStore } from '../../../../src/chat/conversation/conversationStore.ts';
import { UnsentAttachments } from '../../../../src/chat/conversation/unsentAttachments.ts';
import { History } from '../../../../src/chat/history/history.ts';
import { writePresence } from '../../../../src/gateway/sharing/presence.ts';
import { header, question } from './records.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

describe('files stored by the extension', () => {
  let folder: TemporaryFolder;
  let conversations: string;
  let umask: number;

  before(function () {
    // Windows has no such modes.
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
    conversations = join(folder.path, 'storage', 'conversations');
    umask = process.umask(0);
  });
  afterEach(async () => {
    process.umask(umask);
    await folder.remove();
  });

  /**
   * Writes a conversation with an image and an unsent attachment, a deleted one, the history, and the gateway's
   * presence.
   */
  async function writeAll(): Promise<void> {
    const store = new ConversationStore(conversations);
    await store.append('c', [header('c'), question('q', 'text')]);
    await store.append('d', [header('d')]);
    await store.delete('d');
    const images = new ConversationImages(store);
    const attachment = attachImage({ name: 'shot.png', bytes: PNG }, images);
    await images.keep('c', attachment.image === undefined ? [] : [attachment.image]);
    const owner = { writer: 'w', pid: 1, workspace: undefined };
    await new UnsentAttachments(join(conversations, 'unsent'), owner).save('c', [attachment], images.lookup);
    const history = new History(store, join(folder.path, 'storage', 'history.sqlite'), assert.fail);
    await history.sync();
    await writePresence(join(folder.path, 'storage', 'running.json'), 1);
    history.close();
  }

  /** Returns everything in the storage folder that others may read, write, or enter, as `path mode`. */
  async function openToOthers(): Promise<string[]> {
    const paths = await readdir(join(folder.path, 'storage'), { recursive: true });
    assert.ok(paths.length > 8, paths.join('\n'));
    const all = await Promise.all(
      paths.map(async (path) => {
        const { mode } = await lstat(join(folder.path, 'storage', path));
        return (mode & 0o077) === 0 ? [] : [`${path} ${(mode & 0o777).toString(8)}`];
      }),
    );
    return all.flat();
  }

  it('are readable only by the user, even with a permissive umask', async () => {
    await writeAll();
    assert.deepEqual(await openToOthers(), []);
  });

  it('are made private at the next write if an earlier version left them open', async () => {
    await writeAll();
    for (const path of await readdir(conversations, { recursive: true })) {
      const isFolder = (await stat(join(conversations, path))).isDirectory();
      await chmod(join(conversations, path), isFolder ? 0o755 : 0o644);
    }
    await chmod(conversations, 0o755);
    await new ConversationStore(conversations).append('c', [question('r', 'more')]);
    assert.deepEqual(await openToOthers(), []);
  });

  it('include a conversation file that was put into a private folder with an open mode', async () => {
    await writeAll();
    await writeFile(join(conversations, 'e.jsonl'), '');
    await chmod(join(conversations, 'e.jsonl'), 0o644);
    await new ConversationStore(conversations).append('e', [header('e')]);
    assert.deepEqual(await openToOthers(), []);
  });
});
