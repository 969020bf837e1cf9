import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attachment } from '../../../../src/editor/chat/conversation/record.ts';
import { UnsentAttachments } from '../../../../src/editor/chat/conversation/unsentAttachments.ts';

const FILE: Attachment = {
  id: 'a',
  kind: 'file',
  label: 'a.ts',
  path: 'src/a.ts',
  languageId: 'typescript',
  text: 'a',
};

function image(letter: string): Attachment {
  const file = `${letter.repeat(64)}.png`;
  return { ...FILE, id: letter, kind: 'image', text: '', image: { file, mediaType: 'image/png' } };
}

const bytesOf = (file: string) => Buffer.from(`bytes of ${file}`).toString('base64');

describe('attachments that were not sent', () => {
  let folder: string;
  let unsent: UnsentAttachments;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unsent-'));
    unsent = new UnsentAttachments(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('come back with their texts and the bytes of their images', async () => {
    await unsent.save('c', [FILE, image('b')], bytesOf);
    const { attachments, images } = await new UnsentAttachments(folder).load('c');
    assert.deepEqual(attachments, [FILE, image('b')]);
    const file = `${'b'.repeat(64)}.png`;
    assert.deepEqual([...images], [[file, bytesOf(file)]]);
  });

  it('are those of the conversation alone', async () => {
    await unsent.save('c', [FILE], bytesOf);
    assert.deepEqual((await unsent.load('other')).attachments, []);
  });

  it('leave nothing behind when they are sent or removed, images neither', async () => {
    await unsent.save('c', [FILE, image('b'), image('d')], bytesOf);
    await unsent.save('c', [FILE, image('d')], bytesOf);
    assert.deepEqual((await readdir(join(folder, 'c'))).sort(), ['attachments.json', `${'d'.repeat(64)}.png`]);
    await unsent.save('c', [], bytesOf);
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual((await unsent.load('c')).attachments, []);
  });

  it('are removed after a month in which nobody came back', async () => {
    await unsent.save('old', [FILE], bytesOf);
    await unsent.save('new', [FILE], bytesOf);
    const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60_000);
    await utimes(join(folder, 'old'), longAgo, longAgo);
    await unsent.purge(Date.now());
    assert.deepEqual(await readdir(folder), ['new']);
  });

  it('lie in the folder of unsent ones, whatever the stored id says', async () => {
    await assert.rejects(unsent.save('../elsewhere', [FILE], bytesOf), /Not the id/);
    await assert.rejects(stat(join(folder, '..', 'elsewhere')));
  });
});
